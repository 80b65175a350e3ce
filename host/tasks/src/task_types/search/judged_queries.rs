//! Which queries are evaluated, and what their judges said.

use std::collections::{BTreeSet, HashMap};

use mteb_card::defaults;
use mteb_data::{DataError, Table, Texts, all_cells};
use mteb_measures::ranking::Judgements;

use super::ids::{id_column, some, without_empty_ids};
use super::results::DocumentNumbers;

/// The queries that have judgements, in the order of the queries' table.
pub(super) struct JudgedQueries {
    /// Rows of the queries' table that are encoded.
    pub rows: Vec<usize>,
    /// For each of these rows the place of its id in `ids`: rows with one id share their results.
    pub places: Vec<usize>,
    /// The distinct ids.
    pub ids: Vec<String>,
    /// The judgements of each id.
    pub judgements: Vec<Judgements>,
    /// For each document that is judged, by its number, the row of the first judgement that names it.
    pub document_rows: Vec<usize>,
    /// What the reader of the result should know of them.
    pub notes: Vec<String>,
}

impl JudgedQueries {
    /// Keeps the queries that occur in `qrels`; a query whose grades are all 0 or less is kept as well.
    ///
    /// # Errors
    /// If a cell is not what it must be; if `rules` are strict, also if a document is judged twice for a query, or no
    /// grade is above 0.
    pub fn new(
        query_ids: &Texts,
        qrels: &Table,
        documents: &mut DocumentNumbers,
        rules: GradeRules,
    ) -> Result<Self, DataError> {
        let Judged { mut grades, document_rows, notes } = read_qrels(query_ids, qrels, documents, rules)?;
        let (rows, places, ids) = (Vec::new(), Vec::new(), Vec::new());
        let mut queries = Self { rows, places, ids, judgements: Vec::new(), document_rows, notes };
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (row, id) in query_ids.iter().enumerate() {
            if let Some(grades) = grades.remove(id) {
                places.insert(id, queries.ids.len());
                queries.ids.push(id.to_owned());
                queries.judgements.push(Judgements::new(grades).with_threshold(rules.threshold()));
            }
            if let Some(&place) = places.get(id) {
                queries.rows.push(row);
                queries.places.push(place);
            }
        }
        Ok(queries)
    }
}

/// What is asked of grades.
#[derive(Clone, Copy, Debug)]
pub(super) struct GradeRules {
    /// True if what the reference takes without a word is refused.
    pub strict: bool,
    /// The grade from which on a document is relevant, if the card says it.
    pub threshold: Option<f64>,
}

impl GradeRules {
    fn threshold(self) -> f64 {
        self.threshold.unwrap_or(defaults::RELEVANCE_THRESHOLD)
    }
}

/// Documents and their grades by query id.
type Grades<'a> = HashMap<&'a str, Vec<(u32, f64)>>;

/// What judgements say.
struct Judged<'a> {
    /// `(document, grade)` in the order of the judgements, for the ids of queries that are judged.
    grades: Grades<'a>,
    /// The row that first names each document.
    document_rows: Vec<usize>,
    notes: Vec<String>,
}

/// Reads `qrels` for the queries called `query_ids`; numbers the documents that it names for them.
fn read_qrels<'a>(
    query_ids: &'a Texts,
    qrels: &Table,
    documents: &mut DocumentNumbers,
    rules: GradeRules,
) -> Result<Judged<'a>, DataError> {
    let strict = rules.strict;
    let (judged_queries, judged_documents) = (id_column(qrels, "query-id")?, id_column(qrels, "corpus-id")?);
    if strict {
        without_empty_ids(qrels, "query-id", &judged_queries)?;
        without_empty_ids(qrels, "corpus-id", &judged_documents)?;
    }
    let scores = qrels.written_floats("score")?;
    let mut grades: Grades<'_> = query_ids.iter().map(|id| (id, Vec::new())).collect();
    let mut unknown: BTreeSet<&str> = BTreeSet::new();
    let (mut first_unknown, mut document_rows) = (None, Vec::new());
    for (row, grade) in scores.into_iter().enumerate() {
        let Some(of_query) = grades.get_mut(&judged_queries[row]) else {
            unknown.insert(&judged_queries[row]);
            first_unknown.get_or_insert(row);
            continue;
        };
        of_query.push((documents.number(&judged_documents[row]), grade));
        if document_rows.len() < documents.len() {
            document_rows.push(row);
        }
    }
    grades.retain(|_, grades| !grades.is_empty());
    let mut notes = Vec::new();
    let file = qrels.place(0).0;
    if let Some(row) = first_unknown
        && !grades.is_empty()
    {
        let ids = some(unknown.iter().copied());
        let all = unknown.len() + grades.len();
        notes.push(format!(
            "{}, column `query-id`: judged queries that do not exist: {} of {all} ({ids})",
            qrels.location(row),
            unknown.len()
        ));
    }
    let twice = judged_twice(&grades, strict);
    if strict && twice > 0 {
        return Err(repeated_judgement(qrels, &judged_queries, &judged_documents));
    } else if twice > 0 {
        notes.push(format!(
            "{file}: documents judged more than once for a query, whose last grade counts: {twice}"
        ));
    }
    let highest = grades.values().flatten().map(|(_, grade)| *grade).fold(f64::NEG_INFINITY, f64::max);
    if !grades.is_empty() && highest <= 0.0 {
        let message =
            "expected a grade above 0 among the judgements, found none: nothing is relevant".to_owned();
        if strict {
            let message = format!("{message}; give documents that answer a query a grade above 0");
            return Err(DataError::Malformed { place: format!("{file}, column `score`"), message });
        }
        notes.push(format!("{file}, column `score`: {message}"));
    } else if !grades.is_empty() && highest < rules.threshold() {
        notes.push(format!(
            "{file}, column `score`: expected a grade of {} or more, from which a document is relevant, found \
             at most {highest}: all measures except nDCG are 0; `relevance_threshold` in the card sets it",
            rules.threshold()
        ));
    }
    Ok(Judged { grades, document_rows, notes })
}

/// How many documents are judged again for a query; if not `with_same`, only those with another grade.
fn judged_twice(grades: &Grades<'_>, with_same: bool) -> usize {
    let of_query = |grades: &Vec<(u32, f64)>| {
        let mut sorted = grades.clone();
        sorted.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let again = |pair: &&[(u32, f64)]| pair[0].0 == pair[1].0 && (with_same || pair[0].1 != pair[1].1);
        sorted.windows(2).filter(again).count()
    };
    grades.values().map(of_query).sum()
}

/// The fault of the first row that judges what a row before it has judged, and of those behind it.
fn repeated_judgement(qrels: &Table, queries: &Texts, documents: &Texts) -> DataError {
    let mut seen: HashMap<(&str, &str), usize> = HashMap::new();
    let rows = queries.iter().zip(documents.iter()).enumerate().map(|(row, pair)| {
        let first = *seen.entry(pair).or_insert(row);
        if first == row {
            return Ok(());
        }
        let (expected, found) = (
            format!("each document once for query “{}”", pair.0),
            format!("“{}”, which {} judges too", pair.1, qrels.location(first)),
        );
        Err(qrels.fault_saying("corpus-id", row, &expected, found))
    });
    let nothing =
        || qrels.fault_saying("corpus-id", 0, "each document once for a query", "one again".to_owned());
    all_cells(rows).err().unwrap_or_else(nothing)
}

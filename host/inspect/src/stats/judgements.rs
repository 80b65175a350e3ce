//! Judgements described: their grades, how many a query has, and whether they and the corpus fit
//! together.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use mteb_data::{Column, DataError, Table, Texts, written_number};
use mteb_tasks::{Part, Unit};
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::texts::{for_each, hash};

/// What there is to know of the judgements of a ranking task.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct JudgementStats {
    /// Judgements.
    pub judgements: usize,
    /// How often each grade occurs.
    pub grades: BTreeMap<Grade, usize>,
    /// Queries with a judgement.
    pub judged_queries: usize,
    /// Queries without a judgement, which are left out.
    pub unjudged_queries: usize,
    /// Queries without a relevant document: they score 0, but for nDCG where a grade is above 0.
    pub queries_without_relevant: usize,
    /// Relevant documents of a judged query, on average.
    pub relevant_per_query: f64,
    /// Judged documents that the corpus does not have.
    pub absent_documents: usize,
    /// Ids that occur more than once in the corpus.
    pub repeated_ids: usize,
    /// Query texts that are the text of a document, character by character.
    pub queries_in_corpus: usize,
    /// Candidates of a query on average, for tasks that rerank.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub candidates_per_query: Option<f64>,
    /// Those of them that are scored.
    #[serde(skip)]
    pub scored: ScoredJudgements,
}

/// Judgements whose query and document both exist. The others add nothing to what a set asks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScoredJudgements {
    /// Judgements.
    pub judgements: usize,
    /// How often each grade occurs.
    pub grades: BTreeMap<Grade, usize>,
    /// Queries with a judgement.
    pub queries: usize,
    /// Relevant documents of such a query, on average.
    pub relevant_per_query: f64,
}

/// Compares judgements with queries at once and with documents as they come.
pub struct JudgementCounter {
    stats: JudgementStats,
    /// Judged documents that were not found yet.
    wanted: HashSet<String>,
    /// Texts of queries that were not found yet, and how many queries have each.
    queries: HashMap<String, usize>,
    ids: HashSet<u64>,
    judged: Judged,
}

/// The judgements of queries that exist, until it is known which documents do.
struct Judged {
    queries: Texts,
    documents: Texts,
    grades: Vec<f64>,
    threshold: f64,
}

impl JudgementCounter {
    /// The judgements of `unit`, if it has any; a document is relevant from the grade `threshold` on.
    ///
    /// # Errors
    /// If a column is absent or holds no ids or grades.
    pub fn of(unit: &Unit, threshold: f64) -> Result<Option<Self>, DataError> {
        let Some(qrels) = unit.get(Part::Qrels) else { return Ok(None) };
        let (queries, documents, grades) =
            (ids(qrels, "query-id")?, ids(qrels, "corpus-id")?, qrels.written_floats("score")?);
        let mut stats = JudgementStats { judgements: grades.len(), ..JudgementStats::default() };
        let mut relevant: HashMap<&str, usize> = HashMap::new();
        for (query, &grade) in queries.iter().zip(&grades) {
            *stats.grades.entry(Grade(grade)).or_default() += 1;
            *relevant.entry(query).or_default() += usize::from(is_relevant(grade, threshold));
        }
        let mut texts = HashMap::new();
        let mut rows: Vec<usize> = (0..grades.len()).collect();
        if let Some(table) = unit.get(Part::Queries) {
            let own = ids(table, id_column(table))?;
            stats.unjudged_queries = own.iter().filter(|id| !relevant.contains_key(id)).count();
            let known: HashSet<&str> = own.iter().collect();
            rows.retain(|&row| known.contains(&queries[row]));
            for_each(table, "text", |text| {
                *texts.entry(text.unwrap_or_default().to_owned()).or_default() += 1;
            })?;
        }
        if let Some(lists) = unit.get(Part::TopRanked) {
            let count: usize = lists.lists("corpus-ids")?.iter().map(Vec::len).sum();
            stats.candidates_per_query = Some(count as f64 / lists.rows().max(1) as f64);
        }
        stats.judged_queries = relevant.len();
        stats.queries_without_relevant = relevant.values().filter(|&&count| count == 0).count();
        stats.relevant_per_query = relevant.values().sum::<usize>() as f64 / relevant.len().max(1) as f64;
        let wanted = documents.iter().map(str::to_owned).collect();
        let grades = rows.iter().map(|&row| grades[row]).collect();
        let (queries, documents) = (queries.select(&rows), documents.select(&rows));
        let judged = Judged { queries, documents, grades, threshold };
        Ok(Some(Self { stats, wanted, queries: texts, ids: HashSet::new(), judged }))
    }

    /// Takes in the next documents.
    ///
    /// # Errors
    /// If there is no column of ids or texts.
    pub fn add_documents(&mut self, corpus: &Table) -> Result<(), DataError> {
        for id in ids(corpus, id_column(corpus))?.iter() {
            self.wanted.remove(id);
            self.stats.repeated_ids += usize::from(!self.ids.insert(hash(id)));
        }
        for_each(corpus, "text", |text| {
            self.stats.queries_in_corpus += self.queries.remove(text.unwrap_or_default()).unwrap_or_default();
        })
    }

    /// What was counted.
    pub fn finish(self) -> JudgementStats {
        let scored = self.judged.scored(&self.wanted);
        JudgementStats { absent_documents: self.wanted.len(), scored, ..self.stats }
    }
}

impl Judged {
    fn scored(&self, absent: &HashSet<String>) -> ScoredJudgements {
        let mut scored = ScoredJudgements::default();
        let (mut queries, mut relevant) = (HashSet::new(), 0);
        for ((query, document), &grade) in self.queries.iter().zip(self.documents.iter()).zip(&self.grades) {
            if absent.contains(document) {
                continue;
            }
            scored.judgements += 1;
            *scored.grades.entry(Grade(grade)).or_default() += 1;
            queries.insert(query);
            relevant += usize::from(is_relevant(grade, self.threshold));
        }
        scored.queries = queries.len();
        scored.relevant_per_query = relevant as f64 / queries.len().max(1) as f64;
        scored
    }
}

fn is_relevant(grade: f64, threshold: f64) -> bool {
    grade > 0.0 && grade >= threshold
}

/// The column with the ids of documents or queries.
pub fn id_column(table: &Table) -> &'static str {
    if table.get("_id").is_some() { "_id" } else { "id" }
}

/// Ids as texts.
///
/// # Errors
/// If there is no such column, or it holds something else.
pub fn ids(table: &Table, name: &str) -> Result<Texts, DataError> {
    let column = table.column(name)?;
    if let Column::Text(ids) = column {
        return Ok(ids.clone());
    }
    let text = |row| match column.value(row) {
        Value::String(id) => Ok(id),
        Value::Number(id) => Ok(written_number(&id)),
        other => Err(table.fault(name, row, "an id: a string or a number", &other)),
    };
    (0..table.rows()).map(text).collect()
}

/// A finite grade; a whole one is written without a point.
#[derive(Clone, Copy, Debug)]
pub struct Grade(pub f64);

impl fmt::Display for Grade {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Negative zero is the grade 0, too.
        write!(formatter, "{}", self.0 + 0.0)
    }
}

impl Serialize for Grade {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Ord for Grade {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.0 + 0.0).total_cmp(&(other.0 + 0.0))
    }
}

impl PartialOrd for Grade {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Grade {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Grade {}

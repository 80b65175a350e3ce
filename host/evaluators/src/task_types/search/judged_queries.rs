//! Which queries are evaluated, and what their judges said.

use std::collections::HashMap;

use mteb_data::{DataError, Table, Texts};
use mteb_measures::ranking::Judgements;

use super::documents::DocumentNumbers;
use super::ids::id_column;

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
}

impl JudgedQueries {
    /// Keeps the queries that occur in `qrels`; a query whose grades are all 0 or less is kept as well.
    pub fn new(query_ids: &Texts, qrels: &Table, documents: &mut DocumentNumbers) -> Result<Self, DataError> {
        let mut grades = grades_by_query(query_ids, qrels, documents)?;
        let mut queries =
            Self { rows: Vec::new(), places: Vec::new(), ids: Vec::new(), judgements: Vec::new() };
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (row, id) in query_ids.iter().enumerate() {
            if let Some(grades) = grades.remove(id) {
                places.insert(id, queries.ids.len());
                queries.ids.push(id.to_owned());
                queries.judgements.push(Judgements::new(grades));
            }
            if let Some(&place) = places.get(id) {
                queries.rows.push(row);
                queries.places.push(place);
            }
        }
        Ok(queries)
    }
}

/// Documents and their grades by query id.
type Grades<'a> = HashMap<&'a str, Vec<(u32, i32)>>;

/// `(document, grade)` in the order of `qrels`, for the ids among `query_ids` that are judged.
fn grades_by_query<'a>(
    query_ids: &'a Texts,
    qrels: &Table,
    documents: &mut DocumentNumbers,
) -> Result<Grades<'a>, DataError> {
    let (judged_queries, judged_documents) = (id_column(qrels, "query-id")?, id_column(qrels, "corpus-id")?);
    let scores = qrels.ints("score")?;
    let mut grades: Grades<'_> = query_ids.iter().map(|id| (id, Vec::new())).collect();
    for (row, score) in scores.into_iter().enumerate() {
        let Some(of_query) = grades.get_mut(&judged_queries[row]) else { continue };
        let grade = i32::try_from(score)
            .map_err(|_| qrels.fault("score", row, "a grade of at most 32 bits", &score.into()))?;
        of_query.push((documents.number(&judged_documents[row]), grade));
    }
    grades.retain(|_, grades| !grades.is_empty());
    Ok(grades)
}

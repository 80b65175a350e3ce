//! The judgements that a task brings, by the ids of query and document.

use std::collections::HashMap;

use super::ids::id_column;
use crate::{EvaluateError, Part, Unit};

/// The grades of `unit` by query and document; of several of one pair the last one, as measures take it.
///
/// # Errors
/// If it has no judgements, or they are not what they must be.
pub fn own_grades(unit: &Unit) -> Result<HashMap<(String, String), f64>, EvaluateError> {
    let qrels = unit.part(Part::Qrels)?;
    let (queries, documents) = (id_column(qrels, "query-id")?, id_column(qrels, "corpus-id")?);
    let ids = queries.iter().zip(documents.iter());
    let grades = qrels.written_floats("score")?;
    Ok(ids.map(|(query, document)| (query.to_owned(), document.to_owned())).zip(grades).collect())
}

//! Queries of searches: their measure is a column.

use mteb_items::outcomes::{Items, OutcomesError};

use super::side::{Side, Values};
use crate::compare::Texts;

/// The queries that have the measure `main_score`.
///
/// # Errors
/// If there is no such column.
pub(super) fn side(items: &Items, main_score: &str) -> Result<Side, OutcomesError> {
    // The reference's accuracy of a search is its recall at 1.
    let name = if main_score == "accuracy" { "recall_at_1" } else { main_score };
    let scores = items.floats(name)?;
    // Some measures are of groups of queries, and stand with one of them.
    let scored = items.texts("query")?.iter().zip(scores).filter(|(_, score)| !score.is_nan());
    let (ids, scores): (Vec<String>, Vec<f64>) = scored.map(|(id, score)| (id.to_owned(), *score)).unzip();
    Ok(Side {
        kind: "queries",
        texts: Texts::Queries,
        measure: name.to_owned(),
        item_measure: "the same measure",
        ids,
        values: Values::Scores(scores),
    })
}

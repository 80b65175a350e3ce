//! Rows of a type of task of a pack or a card: what each came to, whose mean is the score.

use mteb_items::outcomes::{Items, OutcomesError};

use super::side::{Side, Values, ids};
use crate::compare::Texts;

/// The rows with what each came to.
///
/// # Errors
/// If a column is absent.
pub(super) fn side(items: &Items, main_score: &str) -> Result<Side, OutcomesError> {
    Ok(Side {
        kind: "rows",
        texts: Texts::Rows,
        measure: main_score.to_owned(),
        item_measure: "what the evaluator of the type gives a row",
        ids: ids(items.ints("row")?),
        values: Values::Scores(items.floats("outcome")?.to_vec()),
    })
}

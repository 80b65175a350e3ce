//! Sentences of bitext mining: whether their translation was found.

use mteb_outcomes::{Items, OutcomesError};

use super::side::{Side, Values, ids};
use crate::compare::Texts;

/// The sentences that were sought for.
///
/// # Errors
/// If a column is absent.
pub(super) fn side(items: &Items) -> Result<Side, OutcomesError> {
    let pairs = items.ints("gold")?.iter().zip(items.ints("found")?);
    Ok(Side {
        kind: "sentences",
        texts: Texts::Rows,
        measure: "accuracy".to_owned(),
        item_measure: "1 if its translation was found, else 0",
        ids: ids(items.ints("source")?),
        values: Values::Scores(pairs.map(|(gold, found)| f64::from(u8::from(gold == found))).collect()),
    })
}

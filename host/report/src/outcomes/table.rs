//! Tells from the columns of a table of outcomes what its items are.

use mteb_items::outcomes::{ItemColumn, Items, OutcomesError};

use super::side::Side;
use super::{
    clusterings, found, label_sets, numbers, own_outcomes, predictions, queries, similarities, summaries,
};

/// The items of a table of outcomes; `main_score` is the score that stands for its unit.
///
/// # Errors
/// If its columns are of no known kind.
pub(super) fn side(items: &Items, main_score: &str) -> Result<Side, OutcomesError> {
    let has = |name: &str| items.get(name).is_some();
    match () {
        () if has("query") => queries::side(items, main_score),
        () if has("outcome") => own_outcomes::side(items, main_score),
        () if has("found") => found::side(items, main_score),
        () if has("cluster") => clusterings::side(items),
        () if has("summary") => summaries::side(items, main_score),
        () if matches!(items.get("prediction_0"), Some(ItemColumn::Lists(_))) => {
            label_sets::side(items, main_score)
        }
        () if matches!(items.get("prediction_0"), Some(ItemColumn::Float(_))) => numbers::side(items),
        () if has("prediction_0") => predictions::side(items),
        () => similarities::side(items, main_score),
    }
}

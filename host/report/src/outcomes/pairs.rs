//! The outcomes of pairs of texts, with labels or with scores: what each was compared by.

use mteb_items::outcomes::{ItemColumn, Items, OutcomesError};
use mteb_measures::pair::average_precision;

use super::side::{Side, Values, ids};
use crate::compare::{Statistic, Texts};

/// Columns of what pairs are compared by.
const MEASURES: [&str; 5] = ["similarity", "cosine", "manhattan", "euclidean", "dot"];

/// The pairs; the score of the unit is `main_score` where it is a correlation or an average
/// precision, else the nearest to it.
///
/// # Errors
/// If a column is absent.
pub(super) fn read_pairs(items: &Items, main_score: &str) -> Result<Side, OutcomesError> {
    let (are_kinds, gold) = match items.get("gold") {
        Some(ItemColumn::Int(kinds)) => (true, kinds.iter().map(|&kind| kind as f64).collect()),
        _ => (false, items.floats("gold")?.to_vec()),
    };
    let (column, statistic, name) = match are_kinds {
        true => {
            let column = best_column(items, main_score, &gold)?;
            (column, Statistic::AveragePrecision, "ap")
        }
        false if main_score.ends_with("pearson") => (measured_by(main_score), Statistic::Pearson, "pearson"),
        false => (measured_by(main_score), Statistic::Spearman, "spearman"),
    };
    Ok(Side {
        kind: "pairs",
        texts: Texts::Rows,
        measure: if are_kinds && main_score.starts_with("max_") {
            "max_ap".to_owned()
        } else {
            format!("{column}_{name}")
        },
        item_measure: if are_kinds { SIDES } else { NEARNESS },
        ids: ids(items.ints("row")?),
        values: Values::Ranked { statistic, gold, numbers: items.floats(column)?.to_vec() },
    })
}

const SIDES: &str = "share of the pairs of the other kind that are on their side of it";
/// The measure of an item of a correlation.
pub(super) const NEARNESS: &str = "1 minus the difference of its ranks by gold and by the model, as a share";

/// The column that a score is of: `cosine_spearman` is of `cosine`; a score without a prefix is of
/// the model's own similarity.
pub(super) fn measured_by(score: &str) -> &'static str {
    MEASURES.into_iter().find(|measure| score.starts_with(measure)).unwrap_or(MEASURES[0])
}

/// The column of a score of pairs with labels; of the best of all columns, that which has the best
/// average precision.
fn best_column(items: &Items, main_score: &str, gold: &[f64]) -> Result<&'static str, OutcomesError> {
    if !main_score.starts_with("max_") {
        return Ok(measured_by(main_score));
    }
    let kinds: Vec<bool> = gold.iter().map(|&gold| gold > 0.0).collect();
    let mut best = (MEASURES[0], f64::NEG_INFINITY);
    for column in MEASURES {
        let precision = average_precision(items.floats(column)?, &kinds);
        if precision > best.1 {
            best = (column, precision);
        }
    }
    Ok(best.0)
}

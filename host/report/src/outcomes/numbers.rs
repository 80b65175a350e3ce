//! Texts of regression: the rank correlation of the numbers that were predicted with those that are true.

use mteb_items::outcomes::{Items, OutcomesError};

use super::side::{Side, Values, ids};
use super::similarities::NEARNESS;
use crate::compare::{Statistic, Texts};

/// The texts with the mean of what experiments predicted.
///
/// # Errors
/// If a column is absent.
pub(super) fn side(items: &Items) -> Result<Side, OutcomesError> {
    let gold = items.floats("gold")?;
    let experiments = items.numbered("prediction_").count();
    let mut numbers = vec![0.0; gold.len()];
    for number in 0..experiments {
        let predicted = items.floats(&format!("prediction_{number}"))?;
        numbers.iter_mut().zip(predicted).for_each(|(sum, found)| *sum += found / experiments as f64);
    }
    Ok(Side {
        kind: "texts",
        texts: Texts::Rows,
        measure: "spearman".to_owned(),
        item_measure: NEARNESS,
        ids: ids(items.ints("row")?),
        values: Values::Ranked { statistic: Statistic::Spearman, gold: gold.to_vec(), numbers },
    })
}

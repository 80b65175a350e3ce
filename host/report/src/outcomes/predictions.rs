//! Texts of classification: how often their label was predicted.

use mteb_items::outcomes::{Items, OutcomesError};

use super::side::{Side, Values, ids};
use crate::compare::Texts;

/// The texts with the share of the experiments that predicted their label.
///
/// # Errors
/// If a column is absent.
pub(super) fn side(items: &Items) -> Result<Side, OutcomesError> {
    let (rows, gold) = (items.ints("row")?, items.texts("gold")?);
    let experiments = items.numbered("prediction_").count();
    let mut right = vec![0.0; rows.len()];
    for number in 0..experiments {
        let predicted = items.texts(&format!("prediction_{number}"))?;
        for (right, (gold, found)) in right.iter_mut().zip(gold.iter().zip(predicted.iter())) {
            *right += f64::from(u8::from(gold == found));
        }
    }
    right.iter_mut().for_each(|right| *right /= experiments as f64);
    Ok(Side {
        kind: "texts",
        texts: Texts::Rows,
        measure: "accuracy".to_owned(),
        item_measure: "share of the experiments that are right",
        ids: ids(rows),
        values: Values::Scores(right),
    })
}

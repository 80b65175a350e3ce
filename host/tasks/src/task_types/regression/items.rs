//! What was predicted of each text, and the scores that follow from it.

use mteb_measures::regress::regression_scores;

use super::experiment::collect;
use crate::{EvaluateError, ItemColumn, Items, Scores};

/// A row a text: its place, its value, and what each experiment predicted.
pub(super) fn items(truth: &[f64], predicted: &[Vec<f32>]) -> Items {
    let mut items = Items::default();
    items.push("row", ItemColumn::Int((0..truth.len() as i64).collect()));
    items.push("gold", ItemColumn::Float(truth.to_vec()));
    for (number, found) in predicted.iter().enumerate() {
        let found = found.iter().map(|&found| f64::from(found)).collect();
        items.push(format!("prediction_{number}"), ItemColumn::Float(found));
    }
    items
}

/// The scores of all experiments.
///
/// # Errors
/// If a column is absent.
pub(super) fn aggregate(items: &Items) -> Result<Scores, EvaluateError> {
    let gold = items.floats("gold")?;
    let mut scores = Vec::new();
    for number in 0..items.numbered("prediction_").count() {
        let predicted = items.floats(&format!("prediction_{number}"))?;
        let narrow: Vec<f32> = predicted.iter().map(|&found| found as f32).collect();
        scores.push(regression_scores(gold, &narrow));
    }
    Ok(collect(&scores))
}

//! Average precision: the area under the precision-recall steps.

use super::cuts::{Cut, cuts};
use crate::numeric::sum;

/// Average precision of `scores` (higher means more likely positive) against `labels`, equally long.
///
/// Σ (Rₙ − Rₙ₋₁)·Pₙ over the distinct scores, without interpolation, in [0, 1]; 0 if no label is positive.
/// Source: scikit-learn 1.9, `average_precision_score`.
pub fn average_precision(scores: &[f64], labels: &[bool]) -> f64 {
    average_precision_of_cuts(&cuts(scores, labels))
}

pub(super) fn average_precision_of_cuts(cuts: &[Cut]) -> f64 {
    let positives = cuts.last().map_or(0, |cut| cut.hits);
    if positives == 0 {
        return 0.0;
    }
    let recall = |cut: &Cut| cut.hits as f64 / positives as f64;
    // scikit-learn walks from full recall down to 0 and negates the sum; the order of additions decides the last digit.
    let steps: Vec<f64> = (0..cuts.len())
        .rev()
        .map(|index| {
            let next = if index == 0 { 0.0 } else { recall(&cuts[index - 1]) };
            let precision = cuts[index].hits as f64 / cuts[index].accepted as f64;
            (next - recall(&cuts[index])) * precision
        })
        .collect();
    (-sum(&steps)).max(0.0)
}

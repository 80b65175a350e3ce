//! Pearson's product-moment correlation.

use super::degenerate::is_degenerate;
use crate::numeric::{mean, sum};

/// Pearson's correlation of `left` and `right`, which must be equally long.
///
/// In [-1, 1]; NaN if either list is constant, holds a NaN, or has fewer than two values. Both lists are centred
/// and scaled to length 1 before they are multiplied, as scipy's `pearsonr` does, so neither large nor tiny
/// values lose the result.
pub fn pearson(left: &[f64], right: &[f64]) -> f64 {
    debug_assert_eq!(left.len(), right.len());
    if is_degenerate(left) || is_degenerate(right) {
        return f64::NAN;
    }
    let (left, right) = (unit(left), unit(right));
    let products: Vec<f64> = left.iter().zip(&right).map(|(left, right)| left * right).collect();
    let correlation = sum(&products).clamp(-1.0, 1.0);
    // Two points always lie on a line, so all but the sign is rounding noise.
    if left.len() == 2 { correlation.round() } else { correlation }
}

/// `values` minus their mean, scaled to Euclidean length 1.
fn unit(values: &[f64]) -> Vec<f64> {
    let centre = mean(values);
    let mut centred: Vec<f64> = values.iter().map(|value| value - centre).collect();
    let largest = centred.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    let squares: Vec<f64> = centred.iter().map(|value| (value / largest).powi(2)).collect();
    let length = largest * sum(&squares).sqrt();
    centred.iter_mut().for_each(|value| *value /= length);
    centred
}

//! Spearman's rank correlation.

use super::degenerate::is_degenerate;
use super::pearson::pearson;
use super::ranks::average_ranks;

/// Spearman's correlation of `left` and `right`, which must be equally long: Pearson's of their average ranks.
///
/// In [-1, 1]; NaN if either list is constant, holds a NaN, or has fewer than two values. Source: scipy's
/// `spearmanr`.
pub fn spearman(left: &[f64], right: &[f64]) -> f64 {
    if is_degenerate(left) || is_degenerate(right) {
        return f64::NAN;
    }
    pearson(&average_ranks(left), &average_ranks(right))
}

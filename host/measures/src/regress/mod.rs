//! Regression: bins for a stratified sample of numbers, least squares, and the scores of predicted numbers (protocol 6.11).
//!
//! # Why not linfa-linear
//!
//! linfa-linear solves least squares by a QR decomposition, which fails where columns depend on each other: fewer rows than columns,
//! a dimension that is the same for all texts. scikit-learn takes the shortest of all solutions there, and leaves out directions whose
//! singular value is below 10⁻⁶ of the largest.

mod linear;
mod scores;
mod symmetric;
mod tridiagonal;

pub use linear::{LinearRegression, RowsError};
pub use scores::{RegressionScores, regression_scores};

/// The bin of each of `values` between the `count`-quantiles of all, ascending from 0; equal quantiles are one.
///
/// A value on an edge belongs to the lower bin. Values must be finite. Source: pandas 3.0, `qcut` with `duplicates="drop"`, and numpy's
/// linear interpolation between ranks.
pub fn quantile_bins(values: &[f64], count: usize) -> Vec<u32> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let mut edges: Vec<f64> = (0..=count).map(|place| quantile(&sorted, share(place, count))).collect();
    edges.dedup();
    let bin = |value: &f64| edges.partition_point(|edge| edge < value).saturating_sub(1) as u32;
    values.iter().map(bin).collect()
}

/// `place` of `count` equal shares, the next number up where it is not a number of its own.
fn share(place: usize, count: usize) -> f64 {
    let share = if place == count { 1.0 } else { place as f64 * (1.0 / count as f64) };
    if share * count as f64 == place as f64 { share } else { share.next_up() }
}

/// Between the two values of `sorted` around a share of the ranks; 0 of none.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return 0.0 };
    let rank = last as f64 * share;
    let below = (rank.floor() as usize).min(last);
    let (low, high) = (sorted[below], sorted[(below + 1).min(last)]);
    let (part, gap) = (rank - below as f64, high - low);
    if part >= 0.5 { high - gap * (1.0 - part) } else { low + gap * part }
}

#[cfg(test)]
mod tests;

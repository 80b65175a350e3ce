//! Regression: bins for a stratified sample of numbers, least squares, and the scores of predicted numbers (protocol 6.11).
//!
//! # Why not linfa-linear
//!
//! linfa-linear solves least squares by a QR decomposition, which fails where columns depend on each other: fewer rows than columns,
//! a dimension that is the same for all texts. scikit-learn takes the shortest of all solutions there, and leaves out directions whose
//! singular value is below 10⁻⁶ of the largest.

mod linear;
mod symmetric;

use crate::correlation::kendall;
use crate::numeric::{mean, sum};

pub use linear::{LinearRegression, RowsError};

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

/// How far predictions are from the truth, and whether they are in its order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegressionScores {
    /// Mean of the squared differences, at least 0.
    pub mse: f64,
    /// Mean of the absolute differences, at least 0.
    pub mae: f64,
    /// The share of the variance that is explained, at most 1; NaN of fewer than two numbers.
    pub r2: f64,
    /// Kendall's τ-b, in [-1, 1]; NaN if either side is constant.
    pub kendalltau: f64,
    /// Root of `mse`.
    pub rmse: f64,
}

/// The scores of `predicted`, which must be as long as `truth`.
///
/// All but Kendall's τ are computed in `f32`, as scikit-learn 1.9.1 does where predictions are `f32`. Where all of `truth` is equal, `r2` is
/// 1 if the predictions are, too, and else 0. Source: its `mean_squared_error`, `mean_absolute_error` and `r2_score`.
pub fn regression_scores(truth: &[f64], predicted: &[f32]) -> RegressionScores {
    debug_assert_eq!(truth.len(), predicted.len());
    let narrow: Vec<f32> = truth.iter().map(|&value| value as f32).collect();
    let misses: Vec<f32> = narrow.iter().zip(predicted).map(|(truth, found)| truth - found).collect();
    let squares: Vec<f32> = misses.iter().map(|miss| miss * miss).collect();
    let sizes: Vec<f32> = misses.iter().map(|miss| miss.abs()).collect();
    let mse = f64::from(mean(&squares));
    let predicted: Vec<f64> = predicted.iter().map(|&found| f64::from(found)).collect();
    RegressionScores {
        mse,
        mae: f64::from(mean(&sizes)),
        r2: explained_variance(&narrow, sum(&squares)),
        kendalltau: kendall(truth, &predicted),
        rmse: mse.sqrt(),
    }
}

/// The share of the variance of `truth` that a sum of squared differences leaves explained.
fn explained_variance(truth: &[f32], missed: f32) -> f64 {
    if truth.len() < 2 {
        return f64::NAN;
    }
    let centre = mean(truth);
    let squares: Vec<f32> = truth.iter().map(|value| (value - centre) * (value - centre)).collect();
    let all = sum(&squares);
    match (all == 0.0, missed == 0.0) {
        (false, _) => f64::from(1.0 - missed / all),
        (true, true) => 1.0,
        (true, false) => 0.0,
    }
}

#[cfg(test)]
mod tests;

//! Scores of predicted numbers.

use crate::correlation::kendall;
use crate::numeric::{mean, sum};

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

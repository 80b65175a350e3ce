//! Which scores a judge gives.

use crate::evaluate::percentile;

/// The scores of a judge.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// Number of scores.
    pub count: usize,
    /// Scores from 0 to below 1, from 1 to below 2, …, and at last those that are 10.
    pub bins: [usize; 11],
    /// Their mean.
    pub mean: f64,
    /// The quartiles.
    pub quartiles: [f64; 3],
}

/// The distribution of `scores` from 0 to 10; NaN counts as none.
pub fn distribution(scores: &[f64]) -> Option<Distribution> {
    let scores: Vec<f64> = scores.iter().copied().filter(|score| !score.is_nan()).collect();
    if scores.is_empty() {
        return None;
    }
    let mut bins = [0; 11];
    scores.iter().for_each(|score| bins[(score.max(0.0) as usize).min(10)] += 1);
    let mean = mteb_measures::numeric::mean(&scores);
    let quartiles = [25.0, 50.0, 75.0].map(|share| percentile(&scores, share));
    Some(Distribution { count: scores.len(), bins, mean, quartiles })
}

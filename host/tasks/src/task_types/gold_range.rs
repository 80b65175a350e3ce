//! The range of gold scores, mapped to 0 … 1.

use crate::{EvaluateError, Options};

/// Lowest and highest gold score that the annotators could give.
pub(super) struct GoldRange {
    low: f64,
    high: f64,
}

impl GoldRange {
    /// The range that `options` names, 0 to 5 by default.
    pub fn new(options: &Options) -> Result<Self, EvaluateError> {
        let (low, high) = (options.min_score.unwrap_or(0.0), options.max_score.unwrap_or(5.0));
        if low < high {
            return Ok(Self { low, high });
        }
        Err(EvaluateError::Unscorable(format!(
            "options `min_score` and `max_score`: expected the first below the second, found: {low} and {high}"
        )))
    }

    /// `score` as a share of the range.
    pub fn share(&self, score: f64) -> f64 {
        (score - self.low) / (self.high - self.low)
    }
}

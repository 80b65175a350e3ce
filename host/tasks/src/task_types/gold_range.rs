//! The range of gold scores, mapped to 0 … 1.

use mteb_card::defaults;

use crate::{EvaluateError, Options};

/// Lowest and highest gold score that the annotators could give.
pub(super) struct GoldRange {
    low: f64,
    high: f64,
}

impl GoldRange {
    /// The range that `options` names, 0 to 5 by default.
    pub fn new(options: &Options) -> Result<Self, EvaluateError> {
        let low = options.min_score.unwrap_or(defaults::MIN_SCORE);
        let high = options.max_score.unwrap_or(defaults::MAX_SCORE);
        if low < high {
            return Ok(Self { low, high });
        }
        Err(EvaluateError::Unscorable(format!(
            "options `min_score` and `max_score`: expected the first below the second, found: {low} and {high}"
        )))
    }

    /// What to say of `scores` that lie outside of the range; `None` if none does.
    pub fn outside(&self, scores: impl Iterator<Item = f64>) -> Option<String> {
        let Self { low, high } = self;
        let mut outside = scores.filter(|score| !(low..=high).contains(&score)).peekable();
        let first = *outside.peek()?;
        let count = outside.count();
        Some(format!(
            "expected gold scores from {low} to {high}, found {count} outside, the first: {first}; correct them, or \
             `min_score` and `max_score` in the card's `[protocol]`"
        ))
    }

    /// `score` as a share of the range.
    pub fn share(&self, score: f64) -> f64 {
        (score - self.low) / (self.high - self.low)
    }
}

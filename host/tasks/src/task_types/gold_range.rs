//! The range of gold scores, mapped to 0 … 1.

use mteb_card::defaults;
use mteb_data::Table;

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

    /// What to say of `scores`, those of the rows of `table`, that lie outside of the range; `None` if none does.
    pub fn outside(&self, scores: &[f64], table: &Table) -> Option<String> {
        let Self { low, high } = self;
        let is_outside = |score: &f64| !(low..=high).contains(&score);
        let row = scores.iter().position(is_outside)?;
        let (count, first) = (scores.iter().filter(|score| is_outside(score)).count(), scores[row]);
        Some(format!(
            "expected gold scores from {low} to {high}, found {count} outside, the first: {first} in {}; correct them, or \
             `min_score` and `max_score` in the card's `[protocol]`",
            table.location(row)
        ))
    }

    /// `score` as a share of the range.
    pub fn share(&self, score: f64) -> f64 {
        (score - self.low) / (self.high - self.low)
    }
}

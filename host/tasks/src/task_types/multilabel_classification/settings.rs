//! How many rows are drawn and predicted, and what is measured.

use mteb_card::defaults;

use super::super::few_shot::FewShot;
use crate::{EvaluateError, Options};

/// How many rows are drawn and predicted, and what is measured.
pub struct Settings {
    /// Rows to learn from.
    pub few_shot: FewShot,
    /// Most rows that are predicted.
    pub max_rows: usize,
    /// Measures beside those of the reference.
    pub extra: bool,
}

impl Settings {
    /// Those of a card.
    ///
    /// # Errors
    /// If a number is 0.
    pub fn new(options: &Options, extra: bool) -> Result<Self, EvaluateError> {
        let max_rows = match options.max_eval_samples.unwrap_or(defaults::MAX_EVAL_SAMPLES) {
            0 => usize::MAX,
            most => most,
        };
        Ok(Self { few_shot: FewShot::new(options)?, max_rows, extra })
    }
}

//! How many rows are drawn, and how often.

use crate::{EvaluateError, Options};

/// How many rows are drawn, and how often.
pub struct Settings {
    /// Training rows of each label.
    pub samples_per_label: usize,
    /// Draws.
    pub experiments: usize,
    /// Measures beside those of the reference.
    pub extra: bool,
}

impl Settings {
    /// Those of a card.
    ///
    /// # Errors
    /// If one of them is 0.
    pub fn new(options: &Options, extra: bool) -> Result<Self, EvaluateError> {
        let samples_per_label = options.samples_per_label.unwrap_or(8);
        let experiments = options.experiments.unwrap_or(10);
        for (name, value) in [("samples_per_label", samples_per_label), ("experiments", experiments)] {
            if value == 0 {
                return Err(EvaluateError::Unscorable(format!(
                    "option `{name}`: expected at least 1, found: 0"
                )));
            }
        }
        Ok(Self { samples_per_label, experiments, extra })
    }
}

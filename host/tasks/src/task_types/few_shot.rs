//! How many rows a classifier learns from, and how often they are drawn.

use mteb_card::defaults;

use crate::{EvaluateError, Options};

/// How many rows a classifier learns from, and how often they are drawn.
#[derive(Clone, Copy, Debug)]
pub struct FewShot {
    /// Training rows of each label.
    pub samples_per_label: usize,
    /// Draws.
    pub experiments: usize,
}

impl FewShot {
    /// That of a card.
    ///
    /// # Errors
    /// If one of the numbers is 0.
    pub fn new(options: &Options) -> Result<Self, EvaluateError> {
        let samples_per_label = options.samples_per_label.unwrap_or(defaults::SAMPLES_PER_LABEL);
        let experiments = options.experiments.unwrap_or(defaults::EXPERIMENTS);
        for (name, value) in [("samples_per_label", samples_per_label), ("experiments", experiments)] {
            if value == 0 {
                let message = format!("option `{name}`: expected at least 1, found: 0");
                return Err(EvaluateError::Unscorable(message));
            }
        }
        Ok(Self { samples_per_label, experiments })
    }
}

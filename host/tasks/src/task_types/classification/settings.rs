//! How many rows are drawn, and what is measured.

use super::super::few_shot::FewShot;
use crate::{EvaluateError, Options};

/// How many rows are drawn, and what is measured.
pub struct Settings {
    /// Rows to learn from.
    pub few_shot: FewShot,
    /// Measures beside those of the reference.
    pub extra: bool,
}

impl Settings {
    /// Those of a card.
    ///
    /// # Errors
    /// If a number is 0.
    pub fn new(options: &Options, extra: bool) -> Result<Self, EvaluateError> {
        Ok(Self { few_shot: FewShot::new(options)?, extra })
    }
}

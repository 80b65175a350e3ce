//! Rows of length 1.

use super::step::{State, Step};
use crate::error::TorchError;
use crate::folder::{Config, Rule};
use crate::packed::Packed;

/// Divides each row by its Euclidean length.
pub struct Normalize {
    /// Numbers in a row.
    pub width: i64,
}

impl Normalize {
    /// Reads the module for rows of `width` numbers.
    ///
    /// # Errors
    /// If it normalises something else.
    pub fn read(config: &Config, width: i64) -> Result<Self, TorchError> {
        let own = Rule::OneOf(&["sentence_embedding"]);
        config.obey(&[("module_input_name", own), ("module_output_name", own)])?;
        Ok(Self { width })
    }
}

impl Step for Normalize {
    fn apply(&self, _: &Packed, state: State) -> Result<State, TorchError> {
        let lengths = state.rows.f_norm_scalaropt_dim(2, [-1].as_slice(), true)?.f_clamp_min(1e-12)?;
        Ok(State { rows: state.rows.f_div(&lengths)?, ..state })
    }

    fn width(&self) -> i64 {
        self.width
    }
}

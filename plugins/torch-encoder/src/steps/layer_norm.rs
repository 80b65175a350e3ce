//! Layer normalisation of the rows of texts.

use super::step::{State, Step};
use crate::error::TorchError;
use crate::folder::{Config, Rule};
use crate::layers::Norm;
use crate::packed::Packed;
use crate::weights::Weights;

/// sentence-transformers' `LayerNorm`.
pub struct LayerNorm {
    norm: Norm,
    width: i64,
}

impl LayerNorm {
    /// Reads the module.
    ///
    /// # Errors
    /// If a weight is absent or of another shape.
    pub fn read(config: &Config, weights: &Weights, width: i64) -> Result<Self, TorchError> {
        config.obey_strictly(&[("dimension", Rule::Whole)])?;
        let dimension = config.whole(&["dimension"])?;
        if dimension != width {
            return Err(config.wrong(format!(
                "dimension: expected {width}, the width of the module before it, found {dimension}"
            )));
        }
        // torch's own default, which the module does not change.
        Ok(Self { norm: Norm::layer(weights, "norm", width, 1e-5)?, width })
    }
}

impl Step for LayerNorm {
    fn apply(&self, _: &Packed, state: State) -> Result<State, TorchError> {
        Ok(State { rows: self.norm.apply(&state.rows)?, ..state })
    }

    fn width(&self) -> i64 {
        self.width
    }
}

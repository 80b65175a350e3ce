//! Rows brought to unit length, layer normalisation of rows, and what the reference's loader does
//! to rows behind the model's own modules.

use mteb_plugin_api::{Loading, RowStep};

use super::step::{State, Step};
use crate::error::TorchError;
use crate::folder::{Config, Rule};
use crate::layers::Norm;
use crate::packed::Packed;
use crate::weights::Weights;

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

/// The steps that `loading` says, behind rows of `width` numbers.
pub fn row_steps(loading: &Loading, width: i64) -> Vec<Box<dyn Step>> {
    let kept = loading.dimension.map_or(width, i64::from).min(width);
    let begin = (kept < width).then(|| Box::new(Beginning { width: kept }) as Box<dyn Step>);
    let others = loading.row_steps.iter().map(|step| match step {
        RowStep::LayerNorm => Box::new(PlainNorm { width: kept }) as Box<dyn Step>,
        RowStep::Normalize => Box::new(Normalize { width: kept }),
    });
    begin.into_iter().chain(others).collect()
}

/// Keeps the first numbers of a row.
struct Beginning {
    width: i64,
}

impl Step for Beginning {
    fn apply(&self, _: &Packed, state: State) -> Result<State, TorchError> {
        Ok(State { rows: state.rows.f_narrow(-1, 0, self.width)?, ..state })
    }

    fn width(&self) -> i64 {
        self.width
    }
}

/// Layer normalisation without weights.
struct PlainNorm {
    width: i64,
}

impl Step for PlainNorm {
    fn apply(&self, _: &Packed, state: State) -> Result<State, TorchError> {
        let rows =
            state.rows.f_layer_norm([self.width].as_slice(), None::<&tch::Tensor>, None, 1e-5, false)?;
        Ok(State { rows, ..state })
    }

    fn width(&self) -> i64 {
        self.width
    }
}

//! A linear layer with an activation function.

use serde_json::Value;
use tch::Kind;

use super::step::{State, Step};
use crate::error::TorchError;
use crate::folder::{Config, Rule, Rules};
use crate::layers::{Activation, Linear};
use crate::packed::Packed;
use crate::weights::Weights;

/// sentence-transformers' `Dense`.
pub struct Dense {
    linear: Linear,
    activation: Activation,
    /// What is added to the result, if anything is.
    residual: Residual,
    width: i64,
}

/// What its configuration may say; other keys mean nothing to sentence-transformers either.
const KEYS: &Rules = &[
    ("in_features", Rule::Whole),
    ("out_features", Rule::Whole),
    ("bias", Rule::Flag),
    ("activation_function", Rule::Text),
    ("module_input_name", Rule::OneOf(&["sentence_embedding"])),
    ("module_output_name", Rule::OneOf(&["sentence_embedding"])),
    ("use_residual", Rule::Flag),
    ("init_weight", Rule::Off),
    ("init_bias", Rule::Off),
];

enum Residual {
    None,
    Input,
    Linear(Linear),
}

impl Dense {
    /// Reads the module for rows of `width` numbers.
    ///
    /// # Errors
    /// If a weight is absent or of another shape, or the activation function is not known.
    pub fn read(config: &Config, weights: &Weights, width: i64) -> Result<Self, TorchError> {
        config.obey(KEYS)?;
        let input = config.whole(&["in_features"])?;
        if input != width {
            return Err(config.wrong(format!(
                "in_features: expected {width}, the width of the module before it, found {input}"
            )));
        }
        let out = config.whole(&["out_features"])?;
        let residual = match (config.flag_or("use_residual", false), input == out) {
            (false, _) => Residual::None,
            (true, true) => Residual::Input,
            (true, false) => Residual::Linear(Linear::read(weights, "residual", [out, width])?),
        };
        let linear = Linear::read(weights, "linear", [out, width])?;
        Ok(Self { linear, activation: activation(config)?, residual, width: out })
    }
}

impl Step for Dense {
    fn apply(&self, _: &Packed, state: State) -> Result<State, TorchError> {
        let rows = state.rows.f_to_kind(Kind::Float)?;
        let out = self.activation.apply(self.linear.apply(&rows)?)?;
        let out = match &self.residual {
            Residual::None => out,
            Residual::Input => out.f_add(&rows)?,
            Residual::Linear(linear) => out.f_add(&linear.apply(&rows)?)?,
        };
        Ok(State { rows: out, ..state })
    }

    fn width(&self) -> i64 {
        self.width
    }
}

/// A class of torch; like sentence-transformers, tanh where none is named.
fn activation(config: &Config) -> Result<Activation, TorchError> {
    let Some(path) = config.get("activation_function").and_then(Value::as_str) else {
        return Ok(Activation::Tanh);
    };
    Activation::of_class(path).ok_or_else(|| {
        let known = "Identity, Tanh, ReLU, GELU, SiLU, Sigmoid";
        config.unsupported(format!(
            "`activation_function`: expected a torch class among {known}, found: {path}"
        ))
    })
}

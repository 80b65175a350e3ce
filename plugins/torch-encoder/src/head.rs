//! What follows the transformer: pooling, dense layers, normalisation.

use serde_json::{Map, Value};
use tch::{Device, Kind, Tensor};

use crate::error::TorchError;
use crate::folder::{Module, required};
use crate::packed::Packed;
use crate::pooling::{Pooling, pool, pooling_of};
use crate::weights::Weights;

/// The steps behind the transformer.
pub struct Head {
    steps: Vec<Step>,
    width: i64,
}

enum Step {
    Pool(Vec<Pooling>),
    Dense { weight: Tensor, bias: Option<Tensor>, activation: Activation },
    Normalize,
}

#[derive(Clone, Copy)]
enum Activation {
    None,
    Tanh,
    Relu,
    Gelu,
}

impl Head {
    /// Reads the steps of `modules` behind a transformer whose rows have `width` numbers.
    ///
    /// # Errors
    /// If a dense layer's files are wrong.
    pub fn read(modules: &[Module], width: i64, device: Device, kind: Kind) -> Result<Self, TorchError> {
        let mut head = Self { steps: Vec::new(), width };
        for module in modules {
            let step = match module {
                Module::Pooling(config) => {
                    let ways = pooling_of(config);
                    head.width *= ways.len() as i64;
                    Step::Pool(ways)
                }
                Module::Normalize => Step::Normalize,
                Module::Dense(folder) => {
                    let config: Map<String, Value> = required(&folder.join("config.json"))?;
                    let weights = Weights::read(folder, device, kind)?;
                    let out = config.get("out_features").and_then(Value::as_i64).unwrap_or(head.width);
                    let weight = weights.take("linear.weight", &[out, head.width])?;
                    let bias = if weights.has("linear.bias") {
                        Some(weights.take("linear.bias", &[out])?)
                    } else {
                        None
                    };
                    head.width = out;
                    Step::Dense { weight, bias, activation: activation(&config) }
                }
            };
            head.steps.push(step);
        }
        Ok(head)
    }

    /// Numbers in a row behind the last step.
    pub fn width(&self) -> i64 {
        self.width
    }

    /// A copy that shares the weights.
    pub fn share(&self) -> Self {
        let steps = self.steps.iter().map(|step| match step {
            Step::Pool(ways) => Step::Pool(ways.clone()),
            Step::Normalize => Step::Normalize,
            Step::Dense { weight, bias, activation } => Step::Dense {
                weight: weight.shallow_clone(),
                bias: bias.as_ref().map(Tensor::shallow_clone),
                activation: *activation,
            },
        });
        Self { steps: steps.collect(), width: self.width }
    }

    /// Rows of texts, `[texts, width]`, from rows of tokens.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn apply(&self, packed: &Packed, tokens: Tensor) -> Result<Tensor, TorchError> {
        let mut rows = tokens;
        for step in &self.steps {
            rows = match step {
                Step::Pool(ways) => pool(packed, &rows, ways)?,
                Step::Dense { weight, bias, activation } => {
                    let rows = rows.f_linear(weight, bias.as_ref())?;
                    match activation {
                        Activation::None => rows,
                        Activation::Tanh => rows.f_tanh()?,
                        Activation::Relu => rows.f_relu()?,
                        Activation::Gelu => rows.f_gelu("none")?,
                    }
                }
                Step::Normalize => {
                    let norms = rows.f_norm_scalaropt_dim(2, [1].as_slice(), true)?.f_clamp_min(1e-12)?;
                    rows.f_div(&norms)?
                }
            };
        }
        Ok(rows)
    }
}

fn activation(config: &Map<String, Value>) -> Activation {
    let name = config.get("activation_function").and_then(Value::as_str).unwrap_or("Tanh");
    match name.rsplit('.').next().unwrap_or_default() {
        "Identity" => Activation::None,
        "ReLU" => Activation::Relu,
        "GELU" => Activation::Gelu,
        _ => Activation::Tanh,
    }
}

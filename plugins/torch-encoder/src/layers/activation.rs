//! Activation functions by the names that configurations use.

use tch::Tensor;

use crate::error::TorchError;
use crate::folder::Config;

/// An activation function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// x.
    Identity,
    /// x·Φ(x).
    Gelu,
    /// x·Φ(x) with Φ approximated by tanh.
    GeluTanh,
    /// max(x, 0).
    Relu,
    /// x·σ(x).
    Silu,
    /// tanh x.
    Tanh,
    /// σ(x).
    Sigmoid,
}

impl Activation {
    /// The function that `key` of a transformer's configuration names.
    ///
    /// # Errors
    /// If the name is unknown.
    pub fn of(config: &Config, keys: &[&str], otherwise: Self) -> Result<Self, TorchError> {
        let Some(key) = keys.iter().find(|key| config.get(key).is_some()) else { return Ok(otherwise) };
        let name = config.text_or(key, "");
        Ok(match name {
            "gelu" | "gelu_python" => Self::Gelu,
            "gelu_new" | "gelu_fast" | "gelu_pytorch_tanh" | "gelu_accurate" => Self::GeluTanh,
            "relu" => Self::Relu,
            "silu" | "swish" => Self::Silu,
            "tanh" => Self::Tanh,
            "sigmoid" => Self::Sigmoid,
            "linear" => Self::Identity,
            other => {
                let known =
                    "gelu, gelu_new, gelu_fast, gelu_pytorch_tanh, relu, silu, swish, tanh, sigmoid, linear";
                return Err(config.unsupported(format!("`{key}`: expected one of {known}, found: {other}")));
            }
        })
    }

    /// The function that a class of `torch.nn` computes; `None` for a class that is not known.
    pub fn of_class(path: &str) -> Option<Self> {
        let (module, class) =
            path.strip_prefix("torch.nn.")?.rsplit_once('.').unwrap_or(("", path.strip_prefix("torch.nn.")?));
        let home = if class == "Identity" { "modules.linear" } else { "modules.activation" };
        if !module.is_empty() && module != home && module != "modules" {
            return None;
        }
        Some(match class {
            "Identity" => Self::Identity,
            "Tanh" => Self::Tanh,
            "ReLU" => Self::Relu,
            "GELU" => Self::Gelu,
            "SiLU" => Self::Silu,
            "Sigmoid" => Self::Sigmoid,
            _ => return None,
        })
    }

    /// Applies the function to every number, in place: fresh memory costs more than the function.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn apply(self, mut rows: Tensor) -> Result<Tensor, TorchError> {
        Ok(match self {
            Self::Identity => rows,
            Self::Gelu => rows.f_gelu_("none")?,
            Self::GeluTanh => rows.f_gelu_("tanh")?,
            Self::Relu => rows.f_relu_()?,
            Self::Silu => rows.f_silu_()?,
            Self::Tanh => rows.f_tanh_()?,
            Self::Sigmoid => rows.f_sigmoid_()?,
        })
    }
}

//! Layer normalisation (Ba et al. 2016) and root-mean-square normalisation (Zhang & Sennrich 2019).

use tch::Tensor;

use crate::error::TorchError;
use crate::weights::Weights;

/// A normalisation of the last dimension.
pub struct Norm {
    weight: Tensor,
    bias: Option<Tensor>,
    epsilon: f64,
    root_mean_square: bool,
}

impl Norm {
    /// Layer normalisation: `name.weight`, and `name.bias` if it has one.
    ///
    /// # Errors
    /// If the weight is absent, or one of them has another shape.
    pub fn layer(weights: &Weights, name: &str, width: i64, epsilon: f64) -> Result<Self, TorchError> {
        Ok(Self {
            weight: weights.take(&format!("{name}.weight"), &[width])?,
            bias: weights
                .is_biased(name)?
                .then(|| weights.take(&format!("{name}.bias"), &[width]))
                .transpose()?,
            epsilon,
            root_mean_square: false,
        })
    }

    /// Root-mean-square normalisation: `offset + name.weight` is the factor (the offset is 1 in Gemma, else 0).
    ///
    /// # Errors
    /// If the weight is absent or of another shape.
    pub fn root_mean_square(
        weights: &Weights,
        name: &str,
        width: i64,
        epsilon: f64,
        offset: f64,
    ) -> Result<Self, TorchError> {
        let name = format!("{name}.weight");
        let weight = weights.take(&name, &[width])?;
        let weight = if offset == 0.0 {
            weight
        } else {
            weights.once(&format!("{offset} + {name}"), || Ok(weight.f_add_scalar(offset)?))?
        };
        Ok(Self { weight, bias: None, epsilon, root_mean_square: true })
    }

    /// Layer normalisation with given tensors.
    pub fn of(weight: Tensor, bias: Option<Tensor>, epsilon: f64) -> Self {
        Self { weight, bias, epsilon, root_mean_square: false }
    }

    /// Normalises the last dimension.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn apply(&self, rows: &Tensor) -> Result<Tensor, TorchError> {
        let width = self.weight.size();
        Ok(if self.root_mean_square {
            rows.f_rms_norm(width.as_slice(), Some(&self.weight), self.epsilon)?
        } else {
            rows.f_layer_norm(width.as_slice(), Some(&self.weight), self.bias.as_ref(), self.epsilon, false)?
        })
    }
}

//! Linear layers, and the gated feed-forward part (Shazeer 2020).

use tch::Tensor;

use super::activation::Activation;
use super::product::multiply;
use crate::error::TorchError;
use crate::weights::Weights;

/// rows · weightᵀ + bias.
pub struct Linear {
    weight: Tensor,
    bias: Option<Tensor>,
}

impl Linear {
    /// Reads `name.weight` of shape `[out, input]`, and `name.bias` if the layer has one.
    ///
    /// # Errors
    /// If the weight is absent, or one of them has another shape.
    pub fn read(weights: &Weights, name: &str, [out, input]: [i64; 2]) -> Result<Self, TorchError> {
        let weight = weights.take(&format!("{name}.weight"), &[out, input])?;
        let bias = weights.is_biased(name)?.then(|| weights.take(&format!("{name}.bias"), &[out]));
        Ok(Self::of(weight, bias.transpose()?))
    }

    /// Several layers over the same input as one; `outs` are their output widths.
    ///
    /// # Errors
    /// If a weight is absent or of another shape.
    pub fn join(weights: &Weights, names: &[String], outs: &[i64], input: i64) -> Result<Self, TorchError> {
        let part = |kind: &str, shape: &dyn Fn(i64) -> Vec<i64>| {
            let parts = names.iter().zip(outs).map(|(name, &out)| (format!("{name}.{kind}"), shape(out)));
            parts.collect::<Vec<_>>()
        };
        let weight = weights.join(&part("weight", &|out| vec![out, input]))?;
        let biased = names.iter().map(|name| weights.is_biased(name)).collect::<Result<Vec<_>, _>>()?;
        let bias = biased.contains(&true).then(|| weights.join(&part("bias", &|out| vec![out])));
        Ok(Self::of(weight, bias.transpose()?))
    }

    /// A layer of given tensors.
    pub fn of(weight: Tensor, bias: Option<Tensor>) -> Self {
        Self { weight, bias }
    }

    /// Applies the layer to the last dimension.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn apply(&self, rows: &Tensor) -> Result<Tensor, TorchError> {
        multiply(rows, &self.weight, self.bias.as_ref())
    }

    /// Applies the layer and adds `other` to the result.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn apply_onto(&self, rows: &Tensor, other: &Tensor) -> Result<Tensor, TorchError> {
        Ok(self.apply(rows)?.f_add_(other)?)
    }
}

/// down(activation(gate(x)) · up(x)), with gate and up as one matrix.
pub struct Gated {
    gate_up: Linear,
    down: Linear,
    activation: Activation,
    inner: i64,
}

impl Gated {
    /// Reads the layers called `gate`, `up` and `down`.
    ///
    /// # Errors
    /// If a weight is absent or of another shape.
    pub fn read(
        weights: &Weights,
        [gate, up, down]: [String; 3],
        [width, inner]: [i64; 2],
        activation: Activation,
    ) -> Result<Self, TorchError> {
        Ok(Self {
            gate_up: Linear::join(weights, &[gate, up], &[inner, inner], width)?,
            down: Linear::read(weights, &down, [width, inner])?,
            activation,
            inner,
        })
    }

    /// Takes layers that are laid together already.
    pub fn of(gate_up: Linear, down: Linear, activation: Activation, inner: i64) -> Self {
        Self { gate_up, down, activation, inner }
    }

    /// Applies the part.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn apply(&self, rows: &Tensor) -> Result<Tensor, TorchError> {
        let both = self.gate_up.apply(rows)?;
        let gate = self.activation.apply(both.f_narrow(1, 0, self.inner)?)?;
        self.down.apply(&gate.f_mul(&both.f_narrow(1, self.inner, self.inner)?)?)
    }
}

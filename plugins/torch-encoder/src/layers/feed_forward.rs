//! The gated feed-forward part (Shazeer 2020).

use tch::Tensor;

use super::activation::Activation;
use super::linear::Linear;
use crate::error::TorchError;
use crate::weights::Weights;

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

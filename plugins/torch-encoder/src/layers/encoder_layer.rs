//! A layer of an encoder that normalises after each part, as BERT and its relatives have it.

use tch::Tensor;

use super::activation::Activation;
use super::attention::{Heads, Mask, attention};
use super::linear::Linear;
use super::norm::Norm;
use crate::error::TorchError;
use crate::packed::Packed;
use crate::weights::Weights;

/// Attention, then feed-forward, each added to its input and normalised.
pub struct EncoderLayer {
    /// Query, key and value in one.
    mix: Linear,
    out: Linear,
    attention_norm: Norm,
    up: Linear,
    down: Linear,
    norm: Norm,
    activation: Activation,
    heads: Heads,
}

/// What the parts of a layer are called.
pub struct EncoderNames {
    /// What stands before the number of the layer.
    pub layer: &'static str,
    /// Query, key and value.
    pub mix: [&'static str; 3],
    /// Behind the attention.
    pub out: &'static str,
    /// Norm behind the attention.
    pub attention_norm: &'static str,
    /// First half of the feed-forward part.
    pub up: &'static str,
    /// Second half of the feed-forward part.
    pub down: &'static str,
    /// Norm behind the feed-forward part.
    pub norm: &'static str,
}

impl EncoderLayer {
    /// Reads layer number `layer` with rows of `width` and `inner` numbers.
    ///
    /// # Errors
    /// If a weight is absent or of another shape.
    pub fn read(
        weights: &Weights,
        names: &EncoderNames,
        layer: i64,
        [width, inner]: [i64; 2],
        (heads, activation, epsilon): (Heads, Activation, f64),
    ) -> Result<Self, TorchError> {
        let name = |part: &str| format!("{}.{layer}.{part}", names.layer);
        Ok(Self {
            mix: Linear::join(weights, &names.mix.map(name), &[width; 3], width)?,
            out: Linear::read(weights, &name(names.out), [width, width])?,
            attention_norm: Norm::layer(weights, &name(names.attention_norm), width, epsilon)?,
            up: Linear::read(weights, &name(names.up), [inner, width])?,
            down: Linear::read(weights, &name(names.down), [width, inner])?,
            norm: Norm::layer(weights, &name(names.norm), width, epsilon)?,
            activation,
            heads,
        })
    }

    /// The rows behind the layer, `[tokens, width]`.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn forward(&self, packed: &Packed, rows: &Tensor, mask: &Mask<'_>) -> Result<Tensor, TorchError> {
        let width = rows.size()[1];
        let mixed = self.mix.apply(rows)?;
        let part = |index: i64| mixed.f_narrow(1, index * width, width);
        let attended = attention(packed, [&part(0)?, &part(1)?, &part(2)?], &self.heads, mask)?;
        let rows = self.attention_norm.apply(&self.out.apply_onto(&attended, rows)?)?;
        let inner = self.activation.apply(self.up.apply(&rows)?)?;
        self.norm.apply(&self.down.apply_onto(&inner, &rows)?)
    }
}

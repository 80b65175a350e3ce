//! BERT with rotary positions and a gated feed-forward part, which NomicBERT and GTE share.

use tch::Tensor;

use super::architecture::Architecture;
use crate::error::TorchError;
use crate::layers::{Gated, Heads, Linear, Mask, Norm, Rotary, Table, attention, look_up};
use crate::packed::Packed;

/// An encoder of this family.
pub struct RotaryBert {
    /// Vectors of tokens.
    pub words: Table,
    /// Vectors of token types; `None` where the model has none.
    pub types: Option<Tensor>,
    /// Norm of the vectors.
    pub norm: Norm,
    /// Layers in their order.
    pub layers: Vec<Layer>,
    /// Heads of the attention.
    pub heads: Heads,
    /// Positions.
    pub rotary: Rotary,
}

/// A layer: attention, then feed-forward, each added to its input and normalised.
pub struct Layer {
    /// Query, key and value in one.
    pub mix: Linear,
    /// Behind the attention.
    pub out: Linear,
    /// Norm behind the attention.
    pub attention_norm: Norm,
    /// Feed-forward part.
    pub feed_forward: Gated,
    /// Norm behind the feed-forward part.
    pub norm: Norm,
}

impl Architecture for RotaryBert {
    fn forward(&self, packed: &Packed) -> Result<Tensor, TorchError> {
        let mut rows = self.words.look_up(&packed.ids)?;
        if let Some(types) = &self.types {
            let added = match &packed.types {
                Some(of_tokens) if types.size()[0] > 1 => look_up(types, of_tokens)?,
                _ => types.f_select(0, 0)?,
            };
            rows = rows.f_add(&added)?;
        }
        rows = self.norm.apply(&rows)?;
        let (width, size) = (rows.size()[1], self.heads.size);
        let turn = self.rotary.turn(packed)?;
        for layer in &self.layers {
            let mixed = layer.mix.apply(&rows)?;
            let part = |index: i64| mixed.f_narrow(1, index * width, width);
            let (query, key) = (turn.apply(&part(0)?, size)?, turn.apply(&part(1)?, size)?);
            let attended = attention(packed, [&query, &key, &part(2)?], &self.heads, &Mask::All)?;
            rows = layer.attention_norm.apply(&layer.out.apply_onto(&attended, &rows)?)?;
            rows = layer.norm.apply(&layer.feed_forward.apply(&rows)?.f_add_(&rows)?)?;
        }
        Ok(rows)
    }

    fn width(&self) -> i64 {
        self.words.size()[1]
    }

    fn vocabulary(&self) -> i64 {
        self.words.size()[0]
    }
}

//! ALBERT (Lan et al. 2020): narrow vectors of tokens, and one layer that is applied again and again.

use tch::Tensor;

use super::architecture::{Architecture, Head, Kind};
use super::bert::Embeddings;
use crate::error::TorchError;
use crate::folder::Config;
use crate::layers::{Activation, EncoderLayer, EncoderNames, Heads, Linear, Mask};
use crate::packed::Packed;
use crate::weights::Weights;

/// The kinds of checkpoints that this file computes.
pub const KINDS: &[Kind] = &[Kind {
    model_type: "albert",
    probe: "embeddings.word_embeddings.weight",
    build,
    head: Some(Head::pooler("pooler")),
    framing: None,
}];

const NAMES: EncoderNames = EncoderNames {
    layer: "encoder.albert_layer_groups.0.albert_layers",
    mix: ["attention.query", "attention.key", "attention.value"],
    out: "attention.dense",
    attention_norm: "attention.LayerNorm",
    up: "ffn",
    down: "ffn_output",
    norm: "full_layer_layer_norm",
};

struct Albert {
    embeddings: Embeddings,
    widen: Linear,
    layer: EncoderLayer,
    times: i64,
    width: i64,
}

/// Builds ALBERT.
fn build(config: &Config, weights: &Weights) -> Result<Box<dyn Architecture>, TorchError> {
    for key in ["num_hidden_groups", "inner_group_num"] {
        let found = config.whole_or(key, 1);
        if found != 1 {
            return Err(config.unsupported(format!("`{key}`: expected 1, found {found}")));
        }
    }
    let (width, inner) = (config.whole(&["hidden_size"])?, config.whole(&["intermediate_size"])?);
    let narrow = config.whole_or("embedding_size", 128);
    let heads = Heads::new(config.whole(&["num_attention_heads"])?, width);
    let activation = Activation::of(config, &["hidden_act"], Activation::GeluTanh)?;
    let epsilon = config.float_or("layer_norm_eps", 1e-12);
    Ok(Box::new(Albert {
        embeddings: Embeddings::read(config, weights, narrow, 0)?,
        widen: Linear::read(weights, "encoder.embedding_hidden_mapping_in", [width, narrow])?,
        layer: EncoderLayer::read(weights, &NAMES, 0, [width, inner], (heads, activation, epsilon))?,
        times: config.whole(&["num_hidden_layers"])?,
        width,
    }))
}

impl Architecture for Albert {
    fn forward(&self, packed: &Packed) -> Result<Tensor, TorchError> {
        let mut rows = self.widen.apply(&self.embeddings.forward(packed)?)?;
        for _ in 0..self.times {
            rows = self.layer.forward(packed, &rows, &Mask::All)?;
        }
        Ok(rows)
    }

    fn width(&self) -> i64 {
        self.width
    }

    fn vocabulary(&self) -> i64 {
        self.embeddings.words()[0]
    }

    fn positions(&self) -> Option<i64> {
        Some(self.embeddings.positions())
    }
}

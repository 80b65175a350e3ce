//! DistilBERT (Sanh et al. 2019): BERT with fewer layers, without token types, under other names.

use tch::Tensor;

use super::architecture::{Architecture, Kind};
use super::bert::Embeddings;
use crate::error::TorchError;
use crate::folder::Config;
use crate::layers::{Activation, EncoderLayer, EncoderNames, Heads, Mask};
use crate::packed::Packed;
use crate::weights::Weights;

/// The kinds of checkpoints that this file computes.
pub const KINDS: &[Kind] =
    &[Kind { model_type: "distilbert", probe: "embeddings.word_embeddings.weight", build }];

const NAMES: EncoderNames = EncoderNames {
    layer: "transformer.layer",
    mix: ["attention.q_lin", "attention.k_lin", "attention.v_lin"],
    out: "attention.out_lin",
    attention_norm: "sa_layer_norm",
    up: "ffn.lin1",
    down: "ffn.lin2",
    norm: "output_layer_norm",
};

struct DistilBert {
    embeddings: Embeddings,
    layers: Vec<EncoderLayer>,
}

/// Builds DistilBERT.
fn build(config: &Config, weights: &Weights) -> Result<Box<dyn Architecture>, TorchError> {
    let (width, inner) = (config.whole(&["dim"])?, config.whole(&["hidden_dim"])?);
    let heads = Heads::new(config.whole(&["n_heads"])?, width);
    let activation = Activation::of(config, &["activation"], Activation::Gelu)?;
    let layer =
        |layer| EncoderLayer::read(weights, &NAMES, layer, [width, inner], (heads, activation, 1e-12));
    Ok(Box::new(DistilBert {
        embeddings: Embeddings::read(config, weights, width, 0)?,
        layers: (0..config.whole(&["n_layers"])?).map(layer).collect::<Result<_, _>>()?,
    }))
}

impl Architecture for DistilBert {
    fn forward(&self, packed: &Packed) -> Result<Tensor, TorchError> {
        let mut rows = self.embeddings.forward(packed)?;
        for layer in &self.layers {
            rows = layer.forward(packed, &rows, &Mask::All)?;
        }
        Ok(rows)
    }

    fn width(&self) -> i64 {
        self.embeddings.words()[1]
    }

    fn vocabulary(&self) -> i64 {
        self.embeddings.words()[0]
    }

    fn positions(&self) -> Option<i64> {
        Some(self.embeddings.positions())
    }
}

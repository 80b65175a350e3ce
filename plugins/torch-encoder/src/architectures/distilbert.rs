//! DistilBERT (Sanh et al. 2019): BERT with fewer layers, without token types, under other names.

use super::architecture::{Architecture, Head, Kind};
use super::bert::{Bert, Embeddings, whole_text};
use crate::error::TorchError;
use crate::folder::Config;
use crate::layers::{Activation, EncoderLayer, EncoderNames, Heads};
use crate::tokenizer::Framing;
use crate::weights::Weights;

/// The kinds of checkpoints that this file computes.
pub const KINDS: &[Kind] = &[Kind {
    model_type: "distilbert",
    probe: "embeddings.word_embeddings.weight",
    build,
    head: Some(HEAD),
    framing: Some(Framing::Bert),
}];

/// The head of its sequence classifiers.
const HEAD: Head =
    Head { is_below_root: false, activation: |_| Ok(Activation::Relu), ..Head::pooler("pre_classifier") };

const NAMES: EncoderNames = EncoderNames {
    layer: "transformer.layer",
    mix: ["attention.q_lin", "attention.k_lin", "attention.v_lin"],
    out: "attention.out_lin",
    attention_norm: "sa_layer_norm",
    up: "ffn.lin1",
    down: "ffn.lin2",
    norm: "output_layer_norm",
};

/// Builds DistilBERT.
fn build(config: &Config, weights: &Weights) -> Result<Box<dyn Architecture>, TorchError> {
    let (width, inner) = (config.whole(&["dim"])?, config.whole(&["hidden_dim"])?);
    let heads = Heads::new(config.whole(&["n_heads"])?, width);
    let activation = Activation::of(config, &["activation"], Activation::Gelu)?;
    let layer =
        |layer| EncoderLayer::read(weights, &NAMES, layer, [width, inner], (heads, activation, 1e-12));
    Ok(Box::new(Bert {
        embeddings: Embeddings::read(config, weights, width, 0)?,
        layers: (0..config.whole(&["n_layers"])?).map(layer).collect::<Result<_, _>>()?,
        sees: whole_text(),
    }))
}

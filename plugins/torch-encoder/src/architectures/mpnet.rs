//! MPNet (Song et al. 2020): BERT with relative position biases that all layers share.

use tch::Tensor;

use super::architecture::{Architecture, Head, Kind};
use super::bert::{Bert, Embeddings};
use crate::error::TorchError;
use crate::folder::Config;
use crate::layers::{Activation, EncoderLayer, EncoderNames, Heads, Mask, RelativeMask, bucket_biases};
use crate::tokenizer::Framing;
use crate::weights::Weights;

/// The kinds of checkpoints that this file computes.
pub const KINDS: &[Kind] = &[Kind {
    model_type: "mpnet",
    probe: "embeddings.word_embeddings.weight",
    build,
    head: Some(Head::ROBERTA),
    framing: Some(Framing::MpNet),
}];

const NAMES: EncoderNames = EncoderNames {
    layer: "encoder.layer",
    mix: ["attention.attn.q", "attention.attn.k", "attention.attn.v"],
    out: "attention.attn.o",
    attention_norm: "attention.LayerNorm",
    up: "intermediate.dense",
    down: "output.dense",
    norm: "output.LayerNorm",
};

/// Distances from here on share a bucket; the reference has it as a constant.
const MAX_DISTANCE: i64 = 128;
/// The first position is the one behind the padding's, which is 1 in every checkpoint.
const FIRST_POSITION: i64 = 2;

/// Builds MPNet.
fn build(config: &Config, weights: &Weights) -> Result<Box<dyn Architecture>, TorchError> {
    let (width, inner) = (config.whole(&["hidden_size"])?, config.whole(&["intermediate_size"])?);
    let epsilon = config.float_or("layer_norm_eps", 1e-12);
    let heads = Heads::new(config.whole(&["num_attention_heads"])?, width);
    let activation = Activation::of(config, &["hidden_act"], Activation::Gelu)?;
    let buckets = config.whole_or("relative_attention_num_buckets", 32);
    let layer =
        |layer| EncoderLayer::read(weights, &NAMES, layer, [width, inner], (heads, activation, epsilon));
    let embeddings = Embeddings::read(config, weights, width, FIRST_POSITION)?;
    let biases = weights.take("encoder.relative_attention_bias.weight", &[buckets, heads.query])?;
    Ok(Box::new(Bert {
        embeddings,
        layers: (0..config.whole(&["num_hidden_layers"])?).map(layer).collect::<Result<_, _>>()?,
        sees: Box::new(move |_| {
            let biases = biases.shallow_clone();
            let added = move |distances: &Tensor| bucket_biases(distances, &biases, MAX_DISTANCE);
            Ok(Mask::Relative(RelativeMask::new(added)))
        }),
    }))
}

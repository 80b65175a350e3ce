//! GTE's encoder (Zhang et al. 2024): `new` in its own repositories, `gte` in transformers.

use tch::Tensor;

use super::architecture::{Architecture, Head, Kind};
use super::rotary_bert::{Layer, RotaryBert};
use crate::error::TorchError;
use crate::folder::Config;
use crate::layers::{Activation, Gated, Heads, Linear, Norm, Rotary, Rotation, Table};
use crate::tokenizer::Framing;
use crate::weights::Weights;

/// The kinds of checkpoints that this file computes.
pub const KINDS: &[Kind] = &[
    Kind {
        model_type: "gte",
        probe: "embeddings.word_embeddings.weight",
        build,
        head: Some(Head::pooler("pooler.dense")),
        framing: Some(Framing::Bert),
    },
    Kind {
        model_type: "new",
        probe: "embeddings.word_embeddings.weight",
        build,
        head: Some(Head::pooler("pooler.dense")),
        framing: Some(Framing::Bert),
    },
];

/// Builds GTE.
fn build(config: &Config, weights: &Weights) -> Result<Box<dyn Architecture>, TorchError> {
    let kind = config.text_or("layer_norm_type", "layer_norm");
    if kind != "layer_norm" {
        return Err(config.unsupported(format!("`layer_norm_type`: expected layer_norm, found: {kind}")));
    }
    let width = config.whole(&["hidden_size"])?;
    let epsilon = config.float_or("layer_norm_eps", 1e-12);
    let heads = Heads::new(config.whole(&["num_attention_heads"])?, width);
    let types = config.whole_or("type_vocab_size", 1);
    let theta = if config.text_or("model_type", "") == "new" { 10_000.0 } else { 160_000.0 };
    let rotation = Rotation::of(config, theta);
    let place = (weights.device(), weights.kind());
    let layers = 0..config.whole(&["num_hidden_layers"])?;
    Ok(Box::new(RotaryBert {
        words: Table::read(
            weights,
            "embeddings.word_embeddings.weight",
            [config.whole(&["vocab_size"])?, width],
        )?,
        types: weights.find("embeddings.token_type_embeddings.weight", &[types, width])?,
        norm: Norm::layer(weights, "embeddings.LayerNorm", width, epsilon)?,
        layers: layers.map(|layer| read(config, weights, layer, epsilon)).collect::<Result<_, _>>()?,
        heads,
        rotary: Rotary::new(&rotation.parameters, heads.size, rotation.theta, place)?,
    }))
}

fn read(config: &Config, weights: &Weights, layer: i64, epsilon: f64) -> Result<Layer, TorchError> {
    let (width, inner) = (config.whole(&["hidden_size"])?, config.whole(&["intermediate_size"])?);
    let name = |part: &str| format!("encoder.layer.{layer}.{part}");
    let gate_up = gate_first(weights, &name("mlp.up_gate_proj.weight"), inner, width)?;
    let down = Linear::read(weights, &name("mlp.down_proj"), [width, inner])?;
    let activation = Activation::of(config, &["hidden_act"], Activation::Gelu)?;
    Ok(Layer {
        mix: Linear::read(weights, &name("attention.qkv_proj"), [3 * width, width])?,
        out: Linear::read(weights, &name("attention.o_proj"), [width, width])?,
        attention_norm: Norm::layer(weights, &name("attn_ln"), width, epsilon)?,
        feed_forward: Gated::of(Linear::of(gate_up, None), down, activation, inner),
        norm: Norm::layer(weights, &name("mlp_ln"), width, epsilon)?,
    })
}

/// Checkpoints keep the gate behind the other half.
fn gate_first(weights: &Weights, name: &str, inner: i64, width: i64) -> Result<Tensor, TorchError> {
    let both = weights.take(name, &[2 * inner, width])?;
    weights.once(&format!("gate first: {name}"), || {
        Ok(Tensor::f_cat(&[both.f_narrow(0, inner, inner)?, both.f_narrow(0, 0, inner)?], 0)?)
    })
}

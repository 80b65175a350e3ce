//! GTE's encoder (Zhang et al. 2024), under the names of its own repository (`new`) or of transformers (`gte`).

use tch::Tensor;

use super::Architecture;
use super::rotary_bert::{Layer, RotaryBert};
use crate::error::TorchError;
use crate::folder::Config;
use crate::layers::{Activation, Gated, Heads, Linear, Norm, Rotary, Rotation};
use crate::weights::Weights;

/// Builds GTE.
pub fn build(config: &Config, weights: &Weights) -> Result<Box<dyn Architecture>, TorchError> {
    let kind = config.text_or("layer_norm_type", "layer_norm");
    if kind != "layer_norm" {
        return Err(config.wrong(format!("`layer_norm_type`: expected layer_norm, found: {kind}")));
    }
    let own = weights.has("encoder.layer.0.attn_ln.weight");
    let width = config.whole(&["hidden_size"])?;
    let epsilon = config.float_or("layer_norm_eps", 1e-12);
    let heads = Heads::new(config.whole(&["num_attention_heads"])?, width);
    let types = config.whole_or("type_vocab_size", 1);
    let theta = if own { 10_000.0 } else { 160_000.0 };
    let rotation = Rotation::of(config, "full_attention", theta);
    let place = (weights.device(), weights.kind());
    let layers = 0..config.whole(&["num_hidden_layers"])?;
    Ok(Box::new(RotaryBert {
        words: weights.take("embeddings.word_embeddings.weight", &[config.whole(&["vocab_size"])?, width])?,
        types: weights.find("embeddings.token_type_embeddings.weight", &[types, width])?,
        norm: Norm::layer(weights, "embeddings.LayerNorm", width, epsilon)?,
        layers: layers
            .map(|layer| read(config, weights, (layer, own), (width, epsilon)))
            .collect::<Result<_, _>>()?,
        heads,
        rotary: Rotary::new(&rotation.parameters, heads.size, rotation.theta, place)?,
    }))
}

fn read(
    config: &Config,
    weights: &Weights,
    (layer, own): (i64, bool),
    (width, epsilon): (i64, f64),
) -> Result<Layer, TorchError> {
    let inner = config.whole(&["intermediate_size"])?;
    let name = |part: &str, of_own: &str| {
        if own { format!("encoder.layer.{layer}.{of_own}") } else { format!("layers.{layer}.{part}") }
    };
    let activation = Activation::of(config, &["hidden_act"], Activation::Gelu)?;
    let (mix, feed_forward) = if own {
        let down = Linear::read(weights, &name("", "mlp.down_proj"), [width, inner])?;
        let gate_up =
            Linear::of(gate_first(weights, &name("", "mlp.up_gate_proj.weight"), inner, width)?, None);
        let mix = Linear::read(weights, &name("", "attention.qkv_proj"), [3 * width, width])?;
        (mix, Gated::of(gate_up, down, activation, inner))
    } else {
        let names = ["q_proj", "k_proj", "v_proj"].map(|part| name(&format!("self_attn.{part}"), ""));
        let parts = ["gate_proj", "up_proj", "down_proj"].map(|part| name(&format!("mlp.{part}"), ""));
        let mix = Linear::join(weights, &names, &[width; 3], width)?;
        (mix, Gated::read(weights, parts, [width, inner], activation)?)
    };
    Ok(Layer {
        mix,
        out: Linear::read(weights, &name("self_attn.o_proj", "attention.o_proj"), [width, width])?,
        attention_norm: Norm::layer(weights, &name("post_attention_layernorm", "attn_ln"), width, epsilon)?,
        feed_forward,
        norm: Norm::layer(weights, &name("post_mlp_layernorm", "mlp_ln"), width, epsilon)?,
    })
}

/// The repository keeps the gate behind the other half.
fn gate_first(weights: &Weights, name: &str, inner: i64, width: i64) -> Result<Tensor, TorchError> {
    let both = weights.take(name, &[2 * inner, width])?;
    weights.once(&format!("gate first: {name}"), || {
        Ok(Tensor::f_cat(&[both.f_narrow(0, inner, inner)?, both.f_narrow(0, 0, inner)?], 0)?)
    })
}

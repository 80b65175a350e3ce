//! NomicBERT (Nussbaum et al. 2024), under the names that checkpoints have.

use super::architecture::{Architecture, Head, Kind};
use super::rotary_bert::{Layer, RotaryBert};
use crate::error::TorchError;
use crate::folder::Config;
use crate::layers::{Activation, Gated, Heads, Linear, Norm, Rotary, Rotation, Table};
use crate::tokenizer::Framing;
use crate::weights::Weights;

/// The kinds of checkpoints that this file computes.
pub const KINDS: &[Kind] = &[Kind {
    model_type: "nomic_bert",
    probe: "embeddings.word_embeddings.weight",
    build,
    head: Some(Head::pooler("pooler.dense")),
    framing: Some(Framing::Bert),
}];

/// Builds NomicBERT. Numbers are under the keys of transformers, or under those of its own repository.
fn build(config: &Config, weights: &Weights) -> Result<Box<dyn Architecture>, TorchError> {
    let width = config.whole(&["hidden_size", "n_embd"])?;
    let epsilon = config.float_or("layer_norm_eps", config.float_or("layer_norm_epsilon", 1e-12));
    let heads = Heads::new(config.whole(&["num_attention_heads", "n_head"])?, width);
    let types = config.whole_or("type_vocab_size", 2);
    let rotation = Rotation::of(config, config.float_or("rotary_emb_base", 1000.0));
    let place = (weights.device(), weights.kind());
    let layers = 0..config.whole(&["num_hidden_layers", "n_layer"])?;
    Ok(Box::new(RotaryBert {
        words: Table::read(
            weights,
            "embeddings.word_embeddings.weight",
            [config.whole(&["vocab_size"])?, width],
        )?,
        types: weights.find("embeddings.token_type_embeddings.weight", &[types, width])?,
        norm: Norm::layer(weights, "emb_ln", width, epsilon)?,
        layers: layers.map(|layer| read(config, weights, layer, epsilon)).collect::<Result<_, _>>()?,
        heads,
        rotary: Rotary::new(&rotation.parameters, heads.size, rotation.theta, place)?,
    }))
}

fn read(config: &Config, weights: &Weights, layer: i64, epsilon: f64) -> Result<Layer, TorchError> {
    let width = config.whole(&["hidden_size", "n_embd"])?;
    let inner = config.whole(&["intermediate_size", "n_inner"])?;
    let name = |part: &str| format!("encoder.layers.{layer}.{part}");
    // Its own configurations name the gated part (`swiglu`) in place of the function.
    let activation = Activation::of(config, &["hidden_act"], Activation::Silu)?;
    let parts = ["mlp.fc12", "mlp.fc11", "mlp.fc2"].map(name);
    Ok(Layer {
        mix: Linear::read(weights, &name("attn.Wqkv"), [3 * width, width])?,
        out: Linear::read(weights, &name("attn.out_proj"), [width, width])?,
        attention_norm: Norm::layer(weights, &name("norm1"), width, epsilon)?,
        feed_forward: Gated::read(weights, parts, [width, inner], activation)?,
        norm: Norm::layer(weights, &name("norm2"), width, epsilon)?,
    })
}

//! NomicBERT (Nussbaum et al. 2024), under the names of its own repository or of transformers.

use super::Architecture;
use super::rotary_bert::{Layer, RotaryBert};
use crate::error::TorchError;
use crate::folder::Config;
use crate::layers::{Activation, Gated, Heads, Linear, Norm, Rotary, Rotation};
use crate::weights::Weights;

/// Builds NomicBERT.
pub fn build(config: &Config, weights: &Weights) -> Result<Box<dyn Architecture>, TorchError> {
    let own = weights.has("emb_ln.weight");
    let width = config.whole(&["hidden_size", "n_embd"])?;
    let epsilon = config.float_or("layer_norm_eps", config.float_or("layer_norm_epsilon", 1e-12));
    let heads = Heads::new(config.whole(&["num_attention_heads", "n_head"])?, width);
    let types = config.whole_or("type_vocab_size", 2);
    let rotation = Rotation::of(config, "full_attention", config.float_or("rotary_emb_base", 1000.0));
    let place = (weights.device(), weights.kind());
    let layers = 0..config.whole(&["num_hidden_layers", "n_layer"])?;
    Ok(Box::new(RotaryBert {
        words: weights.take("embeddings.word_embeddings.weight", &[config.whole(&["vocab_size"])?, width])?,
        types: weights.find("embeddings.token_type_embeddings.weight", &[types, width])?,
        norm: Norm::layer(weights, if own { "emb_ln" } else { "embeddings.LayerNorm" }, width, epsilon)?,
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
    let inner = config.whole(&["intermediate_size", "n_inner"])?;
    let name = |part: &str, of_own: &str| {
        if own { format!("encoder.layers.{layer}.{of_own}") } else { format!("layers.{layer}.{part}") }
    };
    let mix = if own {
        Linear::read(weights, &name("", "attn.Wqkv"), [3 * width, width])?
    } else {
        let names = ["q_proj", "k_proj", "v_proj"].map(|part| name(&format!("self_attn.{part}"), ""));
        Linear::join(weights, &names, &[width; 3], width)?
    };
    let parts = [("mlp.gate_proj", "mlp.fc12"), ("mlp.up_proj", "mlp.fc11"), ("mlp.down_proj", "mlp.fc2")];
    Ok(Layer {
        mix,
        out: Linear::read(weights, &name("self_attn.o_proj", "attn.out_proj"), [width, width])?,
        attention_norm: Norm::layer(weights, &name("post_attention_layernorm", "norm1"), width, epsilon)?,
        feed_forward: Gated::read(
            weights,
            parts.map(|(part, of_own)| name(part, of_own)),
            [width, inner],
            // Its own configurations name the gated part (`swiglu`) in place of the function.
            Activation::of(config, &["hidden_act"], Activation::Silu)?,
        )?,
        norm: Norm::layer(weights, &name("post_mlp_layernorm", "norm2"), width, epsilon)?,
    })
}

//! Gemma 3 (Gemma Team 2025), in both directions where the configuration says so, as EmbeddingGemma does.

use super::architecture::{Architecture, Kind};
use crate::error::TorchError;
use crate::folder::Config;
use crate::layers::{Activation, Decoder, DecoderSettings, Heads, Rotation, Window};
use crate::weights::Weights;

/// The kinds of checkpoints that this file computes.
pub const KINDS: &[Kind] =
    &[Kind { model_type: "gemma3_text", probe: "embed_tokens.weight", build, head: None, framing: None }];

/// Builds Gemma 3.
fn build(config: &Config, weights: &Weights) -> Result<Box<dyn Architecture>, TorchError> {
    if config.get("attn_logit_softcapping").is_some() {
        return Err(config.unsupported("`attn_logit_softcapping`: expected none, found one".to_owned()));
    }
    let width = config.whole(&["hidden_size"])?;
    let size = config.whole_or("head_dim", 256);
    let scale = 1.0 / config.float_or("query_pre_attn_scalar", 256.0).sqrt();
    let layers = 0..config.whole(&["num_hidden_layers"])?;
    let settings = DecoderSettings {
        width,
        inner: config.whole(&["intermediate_size"])?,
        vocabulary: config.whole(&["vocab_size"])?,
        heads: Heads {
            query: config.whole(&["num_attention_heads"])?,
            key: config.whole(&["num_key_value_heads"])?,
            size,
            scale,
        },
        activation: Activation::of(config, &["hidden_activation"], Activation::GeluTanh)?,
        epsilon: config.float_or("rms_norm_eps", 1e-6),
        norm_offset: 1.0,
        head_norms: true,
        second_norms: true,
        token_factor: Some((width as f64).sqrt()),
        layers: layers.map(|layer| layer_of(config, layer)).collect(),
    };
    Ok(Box::new(Decoder::read(weights, settings)?))
}

/// Every sixth layer sees everything; the others see a window and turn with a base of their own.
fn layer_of(config: &Config, layer: i64) -> (Window, Rotation) {
    let kinds = config.texts("layer_types");
    let local = match usize::try_from(layer).ok().and_then(|layer| kinds.get(layer).copied()) {
        Some(kind) => kind == "sliding_attention",
        None => (layer + 1) % config.whole_or("sliding_window_pattern", 6).max(1) != 0,
    };
    let both = config.flag_or("use_bidirectional_attention", false);
    let tokens = config.whole_or("sliding_window", 4096);
    let window = match (local, both) {
        // The stated window spans both directions.
        (true, true) => Window { back: tokens / 2, ahead: tokens / 2 },
        (true, false) => Window { back: tokens - 1, ahead: 0 },
        (false, true) => Window::ALL,
        (false, false) => Window::CAUSAL,
    };
    let rotation = if local {
        let theta = config.float_or("rope_local_base_freq", 10_000.0);
        Rotation::of_kind(config, "sliding_attention", theta, false)
    } else {
        let theta = config.float_or("rope_theta", 1_000_000.0);
        Rotation::of_kind(config, "full_attention", theta, true)
    };
    (window, rotation)
}

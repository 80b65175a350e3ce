//! Qwen2 (Yang et al. 2024) and Qwen3 (Yang et al. 2025): Llama with biases, or with norms of queries and keys.

use super::architecture::{Architecture, Kind};
use super::llama;
use crate::error::TorchError;
use crate::folder::Config;
use crate::layers::{Decoder, DecoderSettings};
use crate::weights::Weights;

/// The kinds of checkpoints that this file computes.
pub const KINDS: &[Kind] = &[
    Kind { model_type: "qwen2", probe: "embed_tokens.weight", build: build_qwen2, head: None, framing: None },
    Kind { model_type: "qwen3", probe: "embed_tokens.weight", build: build_qwen3, head: None, framing: None },
];

/// Builds Qwen2; its biases are found by their names.
fn build_qwen2(config: &Config, weights: &Weights) -> Result<Box<dyn Architecture>, TorchError> {
    Ok(Box::new(Decoder::read(weights, llama::settings(config, |layer| window(config, layer))?)?))
}

/// Builds Qwen3.
fn build_qwen3(config: &Config, weights: &Weights) -> Result<Box<dyn Architecture>, TorchError> {
    let settings = llama::settings(config, |layer| window(config, layer))?;
    Ok(Box::new(Decoder::read(weights, DecoderSettings { head_norms: true, ..settings })?))
}

/// Tokens that a layer sees: a window only where the configuration switches it on.
fn window(config: &Config, layer: i64) -> Option<i64> {
    if !config.flag_or("use_sliding_window", false) {
        return None;
    }
    let kinds = config.texts("layer_types");
    let local = match usize::try_from(layer).ok().and_then(|layer| kinds.get(layer).copied()) {
        Some(kind) => kind == "sliding_attention",
        None => layer >= config.whole_or("max_window_layers", 28),
    };
    if local { llama::window(config) } else { None }
}

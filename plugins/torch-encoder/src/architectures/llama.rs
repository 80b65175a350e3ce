//! Llama (Touvron et al. 2023) and Mistral (Jiang et al. 2023).

use tch::Tensor;

use super::architecture::{Architecture, Kind};
use crate::error::TorchError;
use crate::folder::Config;
use crate::layers::{Activation, Decoder, DecoderSettings, Heads, Rotation, Window};
use crate::packed::Packed;
use crate::weights::Weights;

/// The kinds of checkpoints that this file computes.
pub const KINDS: &[Kind] = &[
    Kind { model_type: "llama", probe: "embed_tokens.weight", build, head: None, framing: None },
    Kind { model_type: "mistral", probe: "embed_tokens.weight", build, head: None, framing: None },
];

/// Builds Llama or Mistral.
fn build(config: &Config, weights: &Weights) -> Result<Box<dyn Architecture>, TorchError> {
    let window = config.get("sliding_window").and_then(serde_json::Value::as_i64);
    let settings = settings(config, |_| window)?;
    Ok(Box::new(Decoder::read(weights, settings)?))
}

/// What Llama and its relatives have in common; `window` gives the tokens that a layer sees, itself included.
///
/// # Errors
/// If a number is absent from the configuration.
pub fn settings(config: &Config, window: impl Fn(i64) -> Option<i64>) -> Result<DecoderSettings, TorchError> {
    let width = config.whole(&["hidden_size"])?;
    let count = config.whole(&["num_attention_heads"])?;
    let size = config.whole_or("head_dim", width / count.max(1));
    let causal = config.flag_or("is_causal", true);
    let rotation = Rotation::of(config, "full_attention", 10_000.0);
    let seen = |layer| match window(layer) {
        Some(tokens) => Window { back: tokens - 1, ahead: 0 },
        None => Window::CAUSAL,
    };
    let both = |window: Window| if causal { window } else { Window { ahead: window.back, ..window } };
    let layers = 0..config.whole(&["num_hidden_layers"])?;
    Ok(DecoderSettings {
        width,
        inner: config.whole(&["intermediate_size"])?,
        vocabulary: config.whole(&["vocab_size"])?,
        heads: Heads {
            query: count,
            key: config.whole_or("num_key_value_heads", count),
            size,
            scale: 1.0 / (size as f64).sqrt(),
        },
        activation: Activation::of(config, &["hidden_act"], Activation::Silu)?,
        epsilon: config.float_or("rms_norm_eps", 1e-6),
        norm_offset: 0.0,
        head_norms: false,
        second_norms: false,
        token_factor: None,
        layers: layers.map(|layer| (both(seen(layer)), rotation.clone())).collect(),
    })
}

impl Architecture for Decoder {
    fn forward(&self, packed: &Packed) -> Result<Tensor, TorchError> {
        Self::forward(self, packed)
    }

    fn width(&self) -> i64 {
        Self::width(self)
    }

    fn vocabulary(&self) -> i64 {
        Self::vocabulary(self)
    }
}

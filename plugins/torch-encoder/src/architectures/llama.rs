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
    Kind { model_type: "llama", probe: "embed_tokens.weight", build: build_llama, head: None, framing: None },
    Kind {
        model_type: "mistral",
        probe: "embed_tokens.weight",
        build: build_mistral,
        head: None,
        framing: None,
    },
];

/// Builds Llama, which has no window: transformers passes over one in its configuration.
fn build_llama(config: &Config, weights: &Weights) -> Result<Box<dyn Architecture>, TorchError> {
    Ok(Box::new(Decoder::read(weights, settings(config, |_| None)?)?))
}

/// Builds Mistral: with a window in every layer, or in those that a list names, by which transformers takes it for a Ministral.
fn build_mistral(config: &Config, weights: &Weights) -> Result<Box<dyn Architecture>, TorchError> {
    let window = window(config);
    let kinds = config.texts("layer_types");
    let is_full = |layer: i64| {
        usize::try_from(layer)
            .is_ok_and(|layer| kinds.get(layer).is_some_and(|kind| *kind == "full_attention"))
    };
    let settings = settings(config, |layer| window.filter(|_| !is_full(layer)))?;
    Ok(Box::new(Decoder::read(weights, settings)?))
}

/// Tokens of a window; none where the configuration has null.
pub fn window(config: &Config) -> Option<i64> {
    match config.raw("sliding_window") {
        None => Some(4096),
        Some(tokens) => tokens.as_i64(),
    }
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
    let rotation = Rotation::of(config, 10_000.0);
    let seen = |layer| match (window(layer), causal) {
        (Some(tokens), true) => Window { back: tokens - 1, ahead: 0 },
        // In both directions the token at the end of the window is seen, too, as transformers has it.
        (Some(tokens), false) => Window { back: tokens, ahead: tokens },
        (None, true) => Window::CAUSAL,
        (None, false) => Window::ALL,
    };
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
        layers: layers.map(|layer| (seen(layer), rotation.clone())).collect(),
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

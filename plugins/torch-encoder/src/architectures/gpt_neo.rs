//! GPT-Neo (Black et al. 2021): every second layer sees a window, and scores are not scaled.

use serde_json::Value;
use tch::Tensor;

use super::architecture::{Architecture, Kind};
use crate::error::TorchError;
use crate::folder::Config;
use crate::layers::{Activation, Heads, Linear, Mask, Norm, Table, attention, look_up};
use crate::packed::Packed;
use crate::weights::Weights;

/// The kinds of checkpoints that this file computes.
pub const KINDS: &[Kind] =
    &[Kind { model_type: "gpt_neo", probe: "wte.weight", build, head: None, framing: None }];

struct GptNeo {
    words: Table,
    positions: Tensor,
    layers: Vec<Layer>,
    norm: Norm,
}

struct Layer {
    norm: Norm,
    mix: Linear,
    out: Linear,
    inner_norm: Norm,
    up: Linear,
    down: Linear,
    activation: Activation,
    heads: Heads,
    /// Tokens that a token sees, itself included.
    window: i64,
}

/// Builds GPT-Neo.
fn build(config: &Config, weights: &Weights) -> Result<Box<dyn Architecture>, TorchError> {
    let width = config.whole(&["hidden_size"])?;
    let epsilon = config.float_or("layer_norm_epsilon", 1e-5);
    let layers = 0..config.whole(&["num_layers"])?;
    Ok(Box::new(GptNeo {
        words: Table::read(weights, "wte.weight", [config.whole(&["vocab_size"])?, width])?,
        positions: weights.take("wpe.weight", &[config.whole(&["max_position_embeddings"])?, width])?,
        layers: layers.map(|layer| Layer::read(config, weights, layer)).collect::<Result<_, _>>()?,
        norm: Norm::layer(weights, "ln_f", width, epsilon)?,
    }))
}

/// Windows by layer: `attention_layers` names each, and counts where it is there; `attention_types` is a list of a pattern and how often
/// it comes.
fn is_local(config: &Config, layer: i64) -> bool {
    let named = config.texts("attention_layers");
    if !named.is_empty() {
        return usize::try_from(layer).ok().and_then(|layer| named.get(layer).copied()) == Some("local");
    }
    let kinds = config.get("attention_types").and_then(Value::as_array).into_iter().flatten();
    let mut layers = kinds.flat_map(|entry| {
        let pattern = entry.get(0).and_then(Value::as_array).cloned().unwrap_or_default();
        let times = entry.get(1).and_then(Value::as_u64).unwrap_or(0);
        std::iter::repeat_n(pattern, usize::try_from(times).unwrap_or(0)).flatten()
    });
    let found = layers.nth(usize::try_from(layer).unwrap_or(0));
    found.as_ref().and_then(Value::as_str) == Some("local")
}

impl Layer {
    fn read(config: &Config, weights: &Weights, layer: i64) -> Result<Self, TorchError> {
        let name = |part: &str| format!("h.{layer}.{part}");
        let width = config.whole(&["hidden_size"])?;
        let inner = config.whole_or("intermediate_size", 4 * width);
        let epsilon = config.float_or("layer_norm_epsilon", 1e-5);
        let count = config.whole(&["num_heads"])?;
        let mix = ["q_proj", "k_proj", "v_proj"].map(|part| name(&format!("attn.attention.{part}")));
        Ok(Self {
            norm: Norm::layer(weights, &name("ln_1"), width, epsilon)?,
            mix: Linear::join(weights, &mix, &[width; 3], width)?,
            out: Linear::read(weights, &name("attn.attention.out_proj"), [width, width])?,
            inner_norm: Norm::layer(weights, &name("ln_2"), width, epsilon)?,
            up: Linear::read(weights, &name("mlp.c_fc"), [inner, width])?,
            down: Linear::read(weights, &name("mlp.c_proj"), [width, inner])?,
            activation: Activation::of(config, &["activation_function"], Activation::GeluTanh)?,
            heads: Heads { scale: 1.0, ..Heads::new(count, width) },
            window: if is_local(config, layer) { config.whole_or("window_size", 256) } else { i64::MAX },
        })
    }

    fn forward(&self, packed: &Packed, rows: &Tensor) -> Result<Tensor, TorchError> {
        let width = rows.size()[1];
        let mixed = self.mix.apply(&self.norm.apply(rows)?)?;
        let part = |index: i64| mixed.f_narrow(1, index * width, width);
        let mask = Mask::window(self.window - 1, 0);
        let attended = attention(packed, [&part(0)?, &part(1)?, &part(2)?], &self.heads, &mask)?;
        let rows = self.out.apply_onto(&attended, rows)?;
        let inner = self.activation.apply(self.up.apply(&self.inner_norm.apply(&rows)?)?)?;
        self.down.apply_onto(&inner, &rows)
    }
}

impl Architecture for GptNeo {
    fn forward(&self, packed: &Packed) -> Result<Tensor, TorchError> {
        let places = look_up(&self.positions, &packed.positions)?;
        let mut rows = self.words.look_up(&packed.ids)?.f_add(&places)?;
        for layer in &self.layers {
            rows = layer.forward(packed, &rows)?;
        }
        self.norm.apply(&rows)
    }

    fn width(&self) -> i64 {
        self.words.size()[1]
    }

    fn vocabulary(&self) -> i64 {
        self.words.size()[0]
    }

    fn positions(&self) -> Option<i64> {
        Some(self.positions.size()[0])
    }
}

//! GPT-J (Wang & Komatsuzaki 2021): attention and feed-forward side by side, neighbours turned as pairs.

use tch::Tensor;

use super::architecture::{Architecture, Kind};
use crate::error::TorchError;
use crate::folder::Config;
use crate::layers::{Activation, Heads, Linear, Mask, Norm, Rotary, Table, attention};
use crate::packed::Packed;
use crate::weights::Weights;

/// The kinds of checkpoints that this file computes.
pub const KINDS: &[Kind] =
    &[Kind { model_type: "gptj", probe: "wte.weight", build, head: None, framing: None }];

struct GptJ {
    words: Table,
    layers: Vec<Layer>,
    norm: Norm,
}

struct Layer {
    norm: Norm,
    mix: Linear,
    out: Linear,
    up: Linear,
    down: Linear,
    activation: Activation,
    heads: Heads,
    rotary: Rotary,
}

/// Builds GPT-J.
fn build(config: &Config, weights: &Weights) -> Result<Box<dyn Architecture>, TorchError> {
    let width = config.whole(&["n_embd"])?;
    let epsilon = config.float_or("layer_norm_epsilon", 1e-5);
    let layers = 0..config.whole(&["n_layer"])?;
    Ok(Box::new(GptJ {
        words: Table::read(weights, "wte.weight", [config.whole(&["vocab_size"])?, width])?,
        layers: layers.map(|layer| Layer::read(config, weights, layer)).collect::<Result<_, _>>()?,
        norm: Norm::layer(weights, "ln_f", width, epsilon)?,
    }))
}

impl Layer {
    fn read(config: &Config, weights: &Weights, layer: i64) -> Result<Self, TorchError> {
        let name = |part: &str| format!("h.{layer}.{part}");
        let width = config.whole(&["n_embd"])?;
        let inner = config.whole_or("n_inner", 4 * width);
        let heads = Heads::new(config.whole(&["n_head"])?, width);
        let mix = ["q_proj", "k_proj", "v_proj"].map(|part| name(&format!("attn.{part}")));
        let place = (weights.device(), weights.kind());
        let turned = config.whole_or("rotary_dim", heads.size);
        Ok(Self {
            norm: Norm::layer(weights, &name("ln_1"), width, config.float_or("layer_norm_epsilon", 1e-5))?,
            mix: Linear::join(weights, &mix, &[width; 3], width)?,
            out: Linear::read(weights, &name("attn.out_proj"), [width, width])?,
            up: Linear::read(weights, &name("mlp.fc_in"), [inner, width])?,
            down: Linear::read(weights, &name("mlp.fc_out"), [width, inner])?,
            activation: Activation::of(config, &["activation_function"], Activation::GeluTanh)?,
            heads,
            rotary: Rotary::new(&Config::default(), turned, 10_000.0, place)?.of_neighbours(),
        })
    }

    fn forward(&self, packed: &Packed, rows: &Tensor) -> Result<Tensor, TorchError> {
        let (width, size) = (rows.size()[1], self.heads.size);
        let normed = self.norm.apply(rows)?;
        let mixed = self.mix.apply(&normed)?;
        let part = |index: i64| mixed.f_narrow(1, index * width, width);
        let turn = self.rotary.turn(packed)?;
        let (query, key) = (turn.apply(&part(0)?, size)?, turn.apply(&part(1)?, size)?);
        let attended = attention(packed, [&query, &key, &part(2)?], &self.heads, &Mask::Causal)?;
        let inner = self.activation.apply(self.up.apply(&normed)?)?;
        Ok(self.out.apply_onto(&attended, rows)?.f_add_(&self.down.apply(&inner)?)?)
    }
}

impl Architecture for GptJ {
    fn forward(&self, packed: &Packed) -> Result<Tensor, TorchError> {
        let mut rows = self.words.look_up(&packed.ids)?;
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
}

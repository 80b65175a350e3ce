//! ModernBERT (Warner et al. 2024): rotary positions, norms first, and windows in most layers.

use tch::Tensor;

use super::architecture::{Architecture, Head, Kind};
use crate::error::TorchError;
use crate::folder::Config;
use crate::layers::{
    Activation, Gated, Heads, Linear, Mask, Norm, Rotary, Rotation, Table, Window, attention,
};
use crate::packed::Packed;
use crate::weights::Weights;

/// The kinds of checkpoints that this file computes.
pub const KINDS: &[Kind] = &[Kind {
    model_type: "modernbert",
    probe: "embeddings.tok_embeddings.weight",
    build,
    head: Some(HEAD),
    framing: None,
}];

/// The head of its sequence classifiers.
const HEAD: Head = Head {
    is_below_root: false,
    activation: |config| Activation::of(config, &["classifier_activation"], Activation::Gelu),
    norm: Some("head.norm"),
    pooling: Some("classifier_pooling"),
    ..Head::pooler("head.dense")
};

struct ModernBert {
    words: Table,
    norm: Norm,
    layers: Vec<Layer>,
    final_norm: Norm,
}

struct Layer {
    /// `None` in the first layer, whose rows are normalised already.
    norm: Option<Norm>,
    mix: Linear,
    out: Linear,
    inner_norm: Norm,
    feed_forward: Gated,
    heads: Heads,
    rotary: Rotary,
    window: Window,
}

/// Builds ModernBERT.
fn build(config: &Config, weights: &Weights) -> Result<Box<dyn Architecture>, TorchError> {
    let width = config.whole(&["hidden_size"])?;
    let epsilon = config.float_or("norm_eps", 1e-5);
    let layers = 0..config.whole(&["num_hidden_layers"])?;
    Ok(Box::new(ModernBert {
        words: Table::read(
            weights,
            "embeddings.tok_embeddings.weight",
            [config.whole(&["vocab_size"])?, width],
        )?,
        norm: Norm::layer(weights, "embeddings.norm", width, epsilon)?,
        layers: layers.map(|layer| Layer::read(config, weights, layer)).collect::<Result<_, _>>()?,
        final_norm: Norm::layer(weights, "final_norm", width, epsilon)?,
    }))
}

/// A window in all layers but every third, unless the configuration lists them.
fn is_local(config: &Config, layer: i64) -> bool {
    let kinds = config.texts("layer_types");
    match usize::try_from(layer).ok().and_then(|layer| kinds.get(layer).copied()) {
        Some(kind) => kind == "sliding_attention",
        None => layer % config.whole_or("global_attn_every_n_layers", 3).max(1) != 0,
    }
}

impl Layer {
    fn read(config: &Config, weights: &Weights, layer: i64) -> Result<Self, TorchError> {
        let name = |part: &str| format!("layers.{layer}.{part}");
        let (width, inner) = (config.whole(&["hidden_size"])?, config.whole(&["intermediate_size"])?);
        let epsilon = config.float_or("norm_eps", 1e-5);
        let heads = Heads::new(config.whole(&["num_attention_heads"])?, width);
        let local = is_local(config, layer);
        let half = config.whole_or("local_attention", 128) / 2;
        let theta = if local {
            config.float_or("local_rope_theta", 10_000.0)
        } else {
            config.float_or("global_rope_theta", 160_000.0)
        };
        let kind = if local { "sliding_attention" } else { "full_attention" };
        let rotation = Rotation::of_kind(config, kind, theta, true);
        let norm = |part: &str| Norm::layer(weights, &name(part), width, epsilon);
        Ok(Self {
            norm: if layer == 0 { None } else { Some(norm("attn_norm")?) },
            mix: Linear::read(weights, &name("attn.Wqkv"), [3 * width, width])?,
            out: Linear::read(weights, &name("attn.Wo"), [width, width])?,
            inner_norm: norm("mlp_norm")?,
            feed_forward: Gated::of(
                Linear::read(weights, &name("mlp.Wi"), [2 * inner, width])?,
                Linear::read(weights, &name("mlp.Wo"), [width, inner])?,
                Activation::of(config, &["hidden_activation"], Activation::Gelu)?,
                inner,
            ),
            heads,
            rotary: Rotary::new(
                &rotation.parameters,
                heads.size,
                rotation.theta,
                (weights.device(), weights.kind()),
            )?,
            window: if local { Window { back: half, ahead: half } } else { Window::ALL },
        })
    }

    fn forward(&self, packed: &Packed, rows: &Tensor) -> Result<Tensor, TorchError> {
        let width = rows.size()[1];
        let normed = self.norm.as_ref().map_or_else(|| Ok(rows.shallow_clone()), |norm| norm.apply(rows))?;
        let mixed = self.mix.apply(&normed)?;
        let part = |index: i64| mixed.f_narrow(1, index * width, width);
        let turn = self.rotary.turn(packed)?;
        let (query, key) = (turn.apply(&part(0)?, self.heads.size)?, turn.apply(&part(1)?, self.heads.size)?);
        let mask = Mask::window(self.window.back, self.window.ahead);
        let attended = attention(packed, [&query, &key, &part(2)?], &self.heads, &mask)?;
        let rows = self.out.apply_onto(&attended, rows)?;
        Ok(self.feed_forward.apply(&self.inner_norm.apply(&rows)?)?.f_add_(&rows)?)
    }
}

impl Architecture for ModernBert {
    fn forward(&self, packed: &Packed) -> Result<Tensor, TorchError> {
        let mut rows = self.norm.apply(&self.words.look_up(&packed.ids)?)?;
        for layer in &self.layers {
            rows = layer.forward(packed, &rows)?;
        }
        self.final_norm.apply(&rows)
    }

    fn width(&self) -> i64 {
        self.words.size()[1]
    }

    fn vocabulary(&self) -> i64 {
        self.words.size()[0]
    }
}

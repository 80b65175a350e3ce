//! BLOOM (Scao et al. 2022): distances in place of positions (ALiBi), query, key and value mixed head by head.

use tch::{Kind, Tensor};

use super::architecture::{self, Architecture};
use crate::error::TorchError;
use crate::folder::Config;
use crate::layers::{Activation, Heads, Linear, Mask, Norm, RelativeMask, Table, alibi_slopes, attention};
use crate::packed::Packed;
use crate::weights::Weights;

/// The kinds of checkpoints that this file computes.
pub const KINDS: &[architecture::Kind] = &[architecture::Kind {
    model_type: "bloom",
    probe: "word_embeddings.weight",
    build,
    head: None,
    framing: None,
}];

struct Bloom {
    words: Table,
    norm: Norm,
    slopes: Tensor,
    layers: Vec<Layer>,
    final_norm: Norm,
}

struct Layer {
    norm: Norm,
    mix: Linear,
    out: Linear,
    inner_norm: Norm,
    up: Linear,
    down: Linear,
    heads: Heads,
    /// True if what is added comes from behind the norm.
    after_norm: bool,
}

/// Builds BLOOM.
fn build(config: &Config, weights: &Weights) -> Result<Box<dyn Architecture>, TorchError> {
    let width = config.whole(&["hidden_size", "n_embed"])?;
    let epsilon = config.float_or("layer_norm_epsilon", 1e-5);
    let heads = Heads::new(config.whole(&["n_head", "num_attention_heads"])?, width);
    let slopes = Tensor::f_from_slice(&alibi_slopes(heads.query))?;
    let layers = 0..config.whole(&["n_layer", "num_hidden_layers"])?;
    let after_norm = config.flag_or("apply_residual_connection_post_layernorm", false);
    Ok(Box::new(Bloom {
        words: Table::read(weights, "word_embeddings.weight", [config.whole(&["vocab_size"])?, width])?,
        norm: Norm::layer(weights, "word_embeddings_layernorm", width, epsilon)?,
        slopes: slopes.f_view([-1, 1, 1])?.f_to_device(weights.device())?,
        layers: layers
            .map(|layer| Layer::read(weights, layer, (width, epsilon, heads, after_norm)))
            .collect::<Result<_, _>>()?,
        final_norm: Norm::layer(weights, "ln_f", width, epsilon)?,
    }))
}

impl Layer {
    fn read(
        weights: &Weights,
        layer: i64,
        (width, epsilon, heads, after_norm): (i64, f64, Heads, bool),
    ) -> Result<Self, TorchError> {
        let name = |part: &str| format!("h.{layer}.{part}");
        let norm = |part: &str| Norm::layer(weights, &name(part), width, epsilon);
        let linear = |part: &str, shape: [i64; 2]| Linear::read(weights, &name(part), shape);
        Ok(Self {
            norm: norm("input_layernorm")?,
            mix: linear("self_attention.query_key_value", [3 * width, width])?,
            out: linear("self_attention.dense", [width, width])?,
            inner_norm: norm("post_attention_layernorm")?,
            up: linear("mlp.dense_h_to_4h", [4 * width, width])?,
            down: linear("mlp.dense_4h_to_h", [width, 4 * width])?,
            heads,
            after_norm,
        })
    }

    fn forward(&self, packed: &Packed, rows: &Tensor, mask: &Mask<'_>) -> Result<Tensor, TorchError> {
        let (tokens, width) = (rows.size()[0], rows.size()[1]);
        let normed = self.norm.apply(rows)?;
        let mixed = self.mix.apply(&normed)?.f_view([tokens, self.heads.query, 3, self.heads.size])?;
        let part = |index: i64| mixed.f_select(2, index)?.f_reshape([tokens, width]);
        let attended = attention(packed, [&part(0)?, &part(1)?, &part(2)?], &self.heads, mask)?;
        let base = if self.after_norm { &normed } else { rows };
        let rows = self.out.apply_onto(&attended, base)?;
        let normed = self.inner_norm.apply(&rows)?;
        let inner = Activation::GeluTanh.apply(self.up.apply(&normed)?)?;
        let base = if self.after_norm { &normed } else { &rows };
        self.down.apply_onto(&inner, base)
    }
}

impl Architecture for Bloom {
    fn forward(&self, packed: &Packed) -> Result<Tensor, TorchError> {
        let mask = Mask::Relative(RelativeMask::new(|distances| {
            let added = distances.f_to_kind(Kind::Float)?.f_unsqueeze(0)?.f_mul(&self.slopes)?;
            Ok(added.f_masked_fill(&distances.f_gt(0)?, f64::NEG_INFINITY)?)
        }));
        let mut rows = self.norm.apply(&self.words.look_up(&packed.ids)?)?;
        for layer in &self.layers {
            rows = layer.forward(packed, &rows, &mask)?;
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

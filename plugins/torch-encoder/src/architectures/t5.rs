//! The encoder of T5 (Raffel et al. 2020), mT5 (Xue et al. 2021) and umT5 (Chung et al. 2023).

use tch::Tensor;

use super::architecture::{Architecture, Kind};
use crate::error::TorchError;
use crate::folder::Config;
use crate::layers::{
    Activation, Gated, Heads, Linear, Mask, Norm, RelativeMask, Table, attention, bucket_biases,
};
use crate::packed::Packed;
use crate::tokenizer::Framing;
use crate::weights::Weights;

/// A tensor that every checkpoint has, whichever name its vectors of words have.
const PROBE: &str = "encoder.final_layer_norm.weight";

/// The vectors of words under the names that checkpoints give them. Where both are there, the encoder computes with its own.
const WORDS: [&str; 2] = ["encoder.embed_tokens.weight", "shared.weight"];

/// The kinds of checkpoints that this file computes.
pub const KINDS: &[Kind] = &[
    Kind { model_type: "mt5", probe: PROBE, build, head: None, framing: Some(Framing::T5) },
    Kind { model_type: "t5", probe: PROBE, build, head: None, framing: Some(Framing::T5) },
    Kind { model_type: "umt5", probe: PROBE, build, head: None, framing: Some(Framing::T5) },
];

struct T5 {
    words: Table,
    /// Relative position biases; umT5 has a table for each layer, the others one for all.
    biases: Vec<Tensor>,
    layers: Vec<Layer>,
    norm: Norm,
    max_distance: i64,
}

struct Layer {
    norm: Norm,
    mix: Linear,
    out: Linear,
    inner_norm: Norm,
    feed_forward: FeedForward,
    heads: Heads,
}

enum FeedForward {
    Plain(Linear, Linear, Activation),
    Gated(Gated),
}

/// Builds the encoder.
fn build(config: &Config, weights: &Weights) -> Result<Box<dyn Architecture>, TorchError> {
    let width = config.whole(&["d_model"])?;
    let count = config.whole(&["num_heads"])?;
    // T5 does not scale its scores.
    let heads = Heads { query: count, key: count, size: config.whole(&["d_kv"])?, scale: 1.0 };
    let buckets = config.whole_or("relative_attention_num_buckets", 32);
    let layers = config.whole(&["num_layers"])?;
    let bias = |layer: i64| {
        let name = format!("encoder.block.{layer}.layer.0.SelfAttention.relative_attention_bias.weight");
        weights.take(&name, &[buckets, count])
    };
    let max_distance = config.whole_or("relative_attention_max_distance", 128);
    // Below that, distances fall outside the table.
    if max_distance <= buckets / 4 {
        let message = format!(
            "relative_attention_max_distance: expected more than {}, found {max_distance}",
            buckets / 4
        );
        return Err(config.wrong(message));
    }
    let tables = if config.text_or("model_type", "") == "umt5" { layers } else { layers.min(1) };
    let biases: Vec<Tensor> = (0..tables).map(bias).collect::<Result<_, _>>()?;
    let epsilon = config.float_or("layer_norm_epsilon", 1e-6);
    let words = WORDS.into_iter().find(|name| weights.has(name)).unwrap_or(WORDS[1]);
    Ok(Box::new(T5 {
        words: Table::read(weights, words, [config.whole(&["vocab_size"])?, width])?,
        biases,
        layers: (0..layers)
            .map(|layer| Layer::read(config, weights, layer, heads))
            .collect::<Result<_, _>>()?,
        norm: Norm::root_mean_square(weights, "encoder.final_layer_norm", width, epsilon, 0.0)?,
        max_distance,
    }))
}

impl Layer {
    fn read(config: &Config, weights: &Weights, layer: i64, heads: Heads) -> Result<Self, TorchError> {
        let name = |part: &str| format!("encoder.block.{layer}.layer.{part}");
        let width = config.whole(&["d_model"])?;
        let mixed = heads.query * heads.size;
        let epsilon = config.float_or("layer_norm_epsilon", 1e-6);
        let norm = |part: &str| Norm::root_mean_square(weights, &name(part), width, epsilon, 0.0);
        Ok(Self {
            norm: norm("0.layer_norm")?,
            mix: Linear::join(
                weights,
                &["q", "k", "v"].map(|part| name(&format!("0.SelfAttention.{part}"))),
                &[mixed; 3],
                width,
            )?,
            out: Linear::read(weights, &name("0.SelfAttention.o"), [width, mixed])?,
            inner_norm: norm("1.layer_norm")?,
            feed_forward: FeedForward::read(config, weights, &|part| {
                name(&format!("1.DenseReluDense.{part}"))
            })?,
            heads,
        })
    }

    fn forward(&self, packed: &Packed, rows: &Tensor, mask: &Mask<'_>) -> Result<Tensor, TorchError> {
        let width = self.heads.query * self.heads.size;
        let mixed = self.mix.apply(&self.norm.apply(rows)?)?;
        let part = |index: i64| mixed.f_narrow(1, index * width, width);
        let attended = attention(packed, [&part(0)?, &part(1)?, &part(2)?], &self.heads, mask)?;
        let rows = self.out.apply_onto(&attended, rows)?;
        Ok(self.feed_forward.apply(&self.inner_norm.apply(&rows)?)?.f_add_(&rows)?)
    }
}

impl FeedForward {
    fn read(config: &Config, weights: &Weights, name: &dyn Fn(&str) -> String) -> Result<Self, TorchError> {
        let sizes = [config.whole(&["d_model"])?, config.whole(&["d_ff"])?];
        let form = config.text_or("feed_forward_proj", "relu");
        let (gated, function) = match form.strip_prefix("gated-") {
            Some(function) => (true, function),
            None => (false, form),
        };
        let activation = match function {
            "relu" => Activation::Relu,
            // The first gated models were trained with the approximation by tanh.
            "gelu" if gated => Activation::GeluTanh,
            "gelu" => Activation::Gelu,
            "silu" => Activation::Silu,
            other => {
                let known = "relu, gelu, silu, gated-relu, gated-gelu, gated-silu";
                let message = format!("`feed_forward_proj`: expected one of {known}, found: {other}");
                return Err(config.unsupported(message));
            }
        };
        // The configuration may name the function once more, and that name counts.
        let usual = if gated && function == "gelu" { "gelu_new" } else { function };
        let named = config.text_or("dense_act_fn", usual);
        if named != usual || config.flag_or("is_gated_act", gated) != gated {
            let message =
                format!("`dense_act_fn`: expected {usual}, as `feed_forward_proj` says, found: {named}");
            return Err(config.unsupported(message));
        }
        if gated {
            let names = ["wi_0", "wi_1", "wo"].map(name);
            return Ok(Self::Gated(Gated::read(weights, names, sizes, activation)?));
        }
        let up = Linear::read(weights, &name("wi"), [sizes[1], sizes[0]])?;
        Ok(Self::Plain(up, Linear::read(weights, &name("wo"), sizes)?, activation))
    }

    fn apply(&self, rows: &Tensor) -> Result<Tensor, TorchError> {
        match self {
            Self::Gated(gated) => gated.apply(rows),
            Self::Plain(up, down, activation) => down.apply(&activation.apply(up.apply(rows)?)?),
        }
    }
}

impl Architecture for T5 {
    fn forward(&self, packed: &Packed) -> Result<Tensor, TorchError> {
        let mut rows = self.words.look_up(&packed.ids)?;
        let mask = |biases| {
            Mask::Relative(RelativeMask::new(move |distances| {
                bucket_biases(distances, biases, self.max_distance)
            }))
        };
        let first = self.biases.first().map_or(Mask::All, mask);
        for (number, layer) in self.layers.iter().enumerate() {
            // Biases of a layer of its own go with it.
            let own = self.biases.get(number).filter(|_| number > 0).map(mask);
            rows = layer.forward(packed, &rows, own.as_ref().unwrap_or(&first))?;
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

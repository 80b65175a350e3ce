//! The decoder that today's language models share: normalisation first, rotary positions, a gated feed-forward part
//! (Touvron et al. 2023, "LLaMA"). What differs from model to model is a setting.

use tch::Tensor;

use super::activation::Activation;
use super::attention::{Heads, Mask, attention};
use super::linear::{Gated, Linear};
use super::norm::Norm;
use super::rotary::{Rotary, Turn};
use super::shared_prefix::SharedPrefix;
use super::table::Table;
use crate::error::TorchError;
use crate::folder::Config;
use crate::packed::Packed;
use crate::weights::Weights;

/// What a model says of its decoder.
pub struct DecoderSettings {
    /// Numbers in a row.
    pub width: i64,
    /// Numbers in the feed-forward part.
    pub inner: i64,
    /// Rows of the table of tokens.
    pub vocabulary: i64,
    /// Heads of the attention.
    pub heads: Heads,
    /// Activation of the feed-forward part.
    pub activation: Activation,
    /// Added to the mean square in a norm.
    pub epsilon: f64,
    /// Added to the factor of a norm.
    pub norm_offset: f64,
    /// True if queries and keys are normalised head by head.
    pub head_norms: bool,
    /// True if each part is normalised again before it is added.
    pub second_norms: bool,
    /// Factor of the vectors of tokens.
    pub token_factor: Option<f64>,
    /// What each layer sees and how it turns.
    pub layers: Vec<(Window, Rotation)>,
}

/// Tokens that a layer sees before and behind a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Places before.
    pub back: i64,
    /// Places behind.
    pub ahead: i64,
}

/// Rotary positions of a layer.
#[derive(Clone, Debug)]
pub struct Rotation {
    /// Scaling and `rope_theta`.
    pub parameters: Config,
    /// `rope_theta` where the parameters have none.
    pub theta: f64,
}

impl Window {
    /// Everything before, nothing behind.
    pub const CAUSAL: Self = Self { back: i64::MAX, ahead: 0 };
    /// Everything.
    pub const ALL: Self = Self { back: i64::MAX, ahead: i64::MAX };
}

impl Rotation {
    /// The rotation of a network whose layers all turn alike, under the keys of transformers 4 or 5: where both are there,
    /// transformers takes the older one alone. `theta` stands where no file says another.
    pub fn of(config: &Config, theta: f64) -> Self {
        let older = config.part("rope_scaling");
        let parameters = if older.is_empty() { config.part("rope_parameters") } else { older };
        Self { parameters, theta: config.float_or("rope_theta", theta) }
    }

    /// The rotation of layers of `kind` (`full_attention`, …) of a network in which each kind has its own; `is_scaled` says that the
    /// older key of the configuration is for them, too. Never are both keys there, as the rules of the networks have it.
    pub fn of_kind(config: &Config, kind: &str, theta: f64, is_scaled: bool) -> Self {
        let older = config.part("rope_scaling");
        let parameters =
            if is_scaled && !older.is_empty() { older } else { config.part("rope_parameters").part(kind) };
        Self { parameters, theta }
    }
}

/// A decoder.
pub struct Decoder {
    tokens: Table,
    layers: Vec<Layer>,
    norm: Norm,
    settings: DecoderSettings,
}

struct Layer {
    norm: Norm,
    /// Query, key and value in one.
    mix: Linear,
    head_norms: Option<[Norm; 2]>,
    out: Linear,
    attention_norm: Option<Norm>,
    inner_norm: Norm,
    feed_forward: Gated,
    feed_forward_norm: Option<Norm>,
    rotary: Rotary,
}

impl Decoder {
    /// Reads the decoder.
    ///
    /// # Errors
    /// If a weight is absent or of another shape, or a rotation is not known.
    pub fn read(weights: &Weights, settings: DecoderSettings) -> Result<Self, TorchError> {
        let layers = 0..settings.layers.len();
        Ok(Self {
            tokens: Table::read(weights, "embed_tokens.weight", [settings.vocabulary, settings.width])?,
            layers: layers.map(|layer| Layer::read(weights, &settings, layer)).collect::<Result<_, _>>()?,
            norm: norm(weights, &settings, "norm")?,
            settings,
        })
    }

    /// Rows of all tokens, `[tokens, width]`. A prefix that all texts share is computed once, unless a
    /// layer sees what is behind a token.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn forward(&self, packed: &Packed) -> Result<Tensor, TorchError> {
        let is_causal = self.settings.layers.iter().all(|(window, _)| window.ahead == 0);
        match is_causal.then(|| SharedPrefix::find(packed)).transpose()?.flatten() {
            Some(prefix) => prefix.put_back(&self.compute(prefix.packed(), Some(&prefix))?),
            None => self.compute(packed, None),
        }
    }

    fn compute(&self, packed: &Packed, prefix: Option<&SharedPrefix>) -> Result<Tensor, TorchError> {
        let mut rows = self.tokens.look_up(&packed.ids)?;
        if let Some(factor) = self.settings.token_factor {
            // The factor is rounded to the number format first, as the reference does.
            rows = rows.f_mul(
                &Tensor::f_from_slice(&[factor])?.f_to_device(rows.device())?.f_to_kind(rows.kind())?,
            )?;
        }
        let mut masks: Vec<(Window, Mask<'_>)> = Vec::new();
        for (layer, (window, _)) in self.layers.iter().zip(&self.settings.layers) {
            let mask = match masks.iter().position(|(known, _)| known == window) {
                Some(place) => place,
                None => {
                    masks.push((*window, Mask::window(window.back, window.ahead)));
                    masks.len() - 1
                }
            };
            let (heads, mask) = (&self.settings.heads, &masks[mask].1);
            rows = layer.forward(packed, &rows, heads, |rows| match prefix {
                Some(prefix) => prefix.attention(rows, heads, mask),
                None => attention(packed, rows, heads, mask),
            })?;
        }
        self.norm.apply(&rows)
    }

    /// Numbers in a row.
    pub fn width(&self) -> i64 {
        self.settings.width
    }

    /// Rows of the table of tokens.
    pub fn vocabulary(&self) -> i64 {
        self.settings.vocabulary
    }
}

impl Layer {
    fn read(weights: &Weights, settings: &DecoderSettings, layer: usize) -> Result<Self, TorchError> {
        let name = |part: &str| format!("layers.{layer}.{part}");
        let DecoderSettings { width, inner, heads, epsilon, norm_offset, .. } = *settings;
        let (queries, keys) = (heads.query * heads.size, heads.key * heads.size);
        let head_norm = |part: &str| {
            Norm::root_mean_square(
                weights,
                &name(&format!("self_attn.{part}")),
                heads.size,
                epsilon,
                norm_offset,
            )
        };
        let second = settings.second_norms;
        let [inner_norm, attention_norm] = if second {
            ["pre_feedforward_layernorm", "post_attention_layernorm"]
        } else {
            ["post_attention_layernorm", ""]
        };
        let optional = |part: &str| second.then(|| norm(weights, settings, &name(part))).transpose();
        let rotation = &settings.layers[layer].1;
        Ok(Self {
            norm: norm(weights, settings, &name("input_layernorm"))?,
            mix: Linear::join(
                weights,
                &["q_proj", "k_proj", "v_proj"].map(|part| name(&format!("self_attn.{part}"))),
                &[queries, keys, keys],
                width,
            )?,
            head_norms: if settings.head_norms {
                Some([head_norm("q_norm")?, head_norm("k_norm")?])
            } else {
                None
            },
            out: Linear::read(weights, &name("self_attn.o_proj"), [width, queries])?,
            attention_norm: optional(attention_norm)?,
            inner_norm: norm(weights, settings, &name(inner_norm))?,
            feed_forward: Gated::read(
                weights,
                ["gate_proj", "up_proj", "down_proj"].map(|part| name(&format!("mlp.{part}"))),
                [width, inner],
                settings.activation,
            )?,
            feed_forward_norm: optional("post_feedforward_layernorm")?,
            rotary: Rotary::new(
                &rotation.parameters,
                heads.size,
                rotation.theta,
                (weights.device(), weights.kind()),
            )?,
        })
    }

    fn forward(
        &self,
        packed: &Packed,
        rows: &Tensor,
        heads: &Heads,
        attention: impl FnOnce([&Tensor; 3]) -> Result<Tensor, TorchError>,
    ) -> Result<Tensor, TorchError> {
        let (queries, keys) = (heads.query * heads.size, heads.key * heads.size);
        let mixed = self.mix.apply(&self.norm.apply(rows)?)?;
        let turn = self.rotary.turn(packed)?;
        let [query_norm, key_norm] = match &self.head_norms {
            Some([query, key]) => [Some(query), Some(key)],
            None => [None, None],
        };
        let query = turn_heads(mixed.f_narrow(1, 0, queries)?, query_norm, &turn, heads.size)?;
        let key = turn_heads(mixed.f_narrow(1, queries, keys)?, key_norm, &turn, heads.size)?;
        let value = mixed.f_narrow(1, queries + keys, keys)?;
        let attended = self.out.apply(&attention([&query, &key, &value])?)?;
        let rows = normalise(self.attention_norm.as_ref(), attended)?.f_add_(rows)?;
        let inner = self.feed_forward.apply(&self.inner_norm.apply(&rows)?)?;
        Ok(normalise(self.feed_forward_norm.as_ref(), inner)?.f_add_(&rows)?)
    }
}

fn turn_heads(rows: Tensor, norm: Option<&Norm>, turn: &Turn, size: i64) -> Result<Tensor, TorchError> {
    let Some(norm) = norm else { return turn.apply(&rows, size) };
    let (tokens, width) = (rows.size()[0], rows.size()[1]);
    let heads = norm.apply(&rows.f_reshape([tokens, width / size, size])?)?;
    turn.apply(&heads.f_view([tokens, width])?, size)
}

fn normalise(norm: Option<&Norm>, rows: Tensor) -> Result<Tensor, TorchError> {
    match norm {
        Some(norm) => norm.apply(&rows),
        None => Ok(rows),
    }
}

fn norm(weights: &Weights, settings: &DecoderSettings, name: &str) -> Result<Norm, TorchError> {
    Norm::root_mean_square(weights, name, settings.width, settings.epsilon, settings.norm_offset)
}

//! BERT (Devlin et al. 2019), RoBERTa (Liu et al. 2019) and XLM-RoBERTa (Conneau et al. 2020).

use tch::Tensor;

use super::architecture::{Architecture, Head, Kind};
use crate::error::TorchError;
use crate::folder::Config;
use crate::layers::{Activation, EncoderLayer, EncoderNames, Heads, Mask, Norm, Table, look_up};
use crate::packed::Packed;
use crate::tokenizer::Framing;
use crate::weights::Weights;

/// The kinds of checkpoints that this file computes.
pub const KINDS: &[Kind] = &[
    Kind {
        model_type: "bert",
        probe: "embeddings.word_embeddings.weight",
        build,
        head: Some(Head::pooler("pooler.dense")),
        framing: Some(Framing::Bert),
    },
    Kind {
        model_type: "camembert",
        probe: "embeddings.word_embeddings.weight",
        build: build_roberta,
        head: Some(Head::ROBERTA),
        framing: None,
    },
    Kind {
        model_type: "roberta",
        probe: "embeddings.word_embeddings.weight",
        build: build_roberta,
        head: Some(Head::ROBERTA),
        framing: Some(Framing::Roberta),
    },
    Kind {
        model_type: "xlm-roberta",
        probe: "embeddings.word_embeddings.weight",
        build: build_roberta,
        head: Some(Head::ROBERTA),
        framing: Some(Framing::XlmRoberta),
    },
];

/// What BERT calls the parts of a layer.
pub const NAMES: EncoderNames = EncoderNames {
    layer: "encoder.layer",
    mix: ["attention.self.query", "attention.self.key", "attention.self.value"],
    out: "attention.output.dense",
    attention_norm: "attention.output.LayerNorm",
    up: "intermediate.dense",
    down: "output.dense",
    norm: "output.LayerNorm",
};

/// Embeddings and layers one behind the other: also the networks that differ from BERT in names, or in what a token sees.
pub struct Bert {
    pub embeddings: Embeddings,
    pub layers: Vec<EncoderLayer>,
    pub sees: Sees,
}

/// What a token sees of its text, by the tokens of a batch.
pub type Sees = Box<dyn Fn(&Packed) -> Result<Mask, TorchError> + Send>;

/// Each token sees its whole text.
pub fn whole_text() -> Sees {
    Box::new(|_| Ok(Mask::All))
}

/// Vectors of tokens, places and token types, added and normalised.
pub struct Embeddings {
    words: Table,
    positions: Tensor,
    /// `None` where the model has no types.
    types: Option<Tensor>,
    norm: Norm,
    /// Position of the first token: RoBERTa counts from the padding's id on.
    first_position: i64,
}

/// Builds BERT.
fn build(config: &Config, weights: &Weights) -> Result<Box<dyn Architecture>, TorchError> {
    read(config, weights, 0)
}

/// Builds RoBERTa.
fn build_roberta(config: &Config, weights: &Weights) -> Result<Box<dyn Architecture>, TorchError> {
    read(config, weights, config.whole_or("pad_token_id", 1) + 1)
}

fn read(
    config: &Config,
    weights: &Weights,
    first_position: i64,
) -> Result<Box<dyn Architecture>, TorchError> {
    let absolute = config.text_or("position_embedding_type", "absolute");
    if absolute != "absolute" {
        let message = format!("position_embedding_type: expected absolute, found: {absolute}");
        return Err(config.unsupported(message));
    }
    let width = config.whole(&["hidden_size"])?;
    let inner = config.whole(&["intermediate_size"])?;
    let epsilon = config.float_or("layer_norm_eps", 1e-12);
    let heads = Heads::new(config.whole(&["num_attention_heads"])?, width);
    let activation = Activation::of(config, &["hidden_act"], Activation::Gelu)?;
    let layer =
        |layer| EncoderLayer::read(weights, &NAMES, layer, [width, inner], (heads, activation, epsilon));
    Ok(Box::new(Bert {
        embeddings: Embeddings::read(config, weights, width, first_position)?,
        layers: (0..config.whole(&["num_hidden_layers"])?).map(layer).collect::<Result<_, _>>()?,
        sees: if config.flag_or("is_decoder", false) { Box::new(|_| Ok(Mask::Causal)) } else { whole_text() },
    }))
}

impl Architecture for Bert {
    fn forward(&self, packed: &Packed) -> Result<Tensor, TorchError> {
        let mut rows = self.embeddings.forward(packed)?;
        let mask = (self.sees)(packed)?;
        for layer in &self.layers {
            rows = layer.forward(packed, &rows, &mask)?;
        }
        Ok(rows)
    }

    fn width(&self) -> i64 {
        self.embeddings.words()[1]
    }

    fn vocabulary(&self) -> i64 {
        self.embeddings.words()[0]
    }

    fn positions(&self) -> Option<i64> {
        Some(self.embeddings.positions())
    }
}

impl Embeddings {
    /// Reads the vectors, of `width` numbers each.
    ///
    /// # Errors
    /// If a weight is absent or of another shape.
    pub fn read(
        config: &Config,
        weights: &Weights,
        width: i64,
        first_position: i64,
    ) -> Result<Self, TorchError> {
        let name = |part: &str| format!("embeddings.{part}");
        let table = |part: &str, key: &'static str| {
            weights.take(&name(&format!("{part}.weight")), &[config.whole(&[key])?, width])
        };
        let model_type = config.text_or("model_type", "");
        let types = !matches!(model_type, "distilbert" | "mpnet");
        // DistilBERT's is fixed: transformers passes over the key.
        let epsilon =
            if model_type == "distilbert" { 1e-12 } else { config.float_or("layer_norm_eps", 1e-12) };
        Ok(Self {
            words: Table::read(
                weights,
                &name("word_embeddings.weight"),
                [config.whole(&["vocab_size"])?, width],
            )?,
            positions: table("position_embeddings", "max_position_embeddings")?,
            types: if types { Some(table("token_type_embeddings", "type_vocab_size")?) } else { None },
            norm: Norm::layer(weights, &name("LayerNorm"), width, epsilon)?,
            first_position,
        })
    }

    /// Rows of all tokens.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn forward(&self, packed: &Packed) -> Result<Tensor, TorchError> {
        let places = self.places(packed)?;
        let mut rows = self.words.look_up(&packed.ids)?.f_add_(&look_up(&self.positions, &places)?)?;
        if let Some(types) = &self.types {
            let added = match &packed.types {
                Some(of_tokens) if types.size()[0] > 1 => look_up(types, of_tokens)?,
                _ => types.f_select(0, 0)?,
            };
            rows = rows.f_add_(&added)?;
        }
        self.norm.apply(&rows)
    }

    /// The place of each token. Where places are counted from the padding's id on, a token with that id has that place wherever it
    /// stands, and is not counted.
    fn places(&self, packed: &Packed) -> Result<Tensor, TorchError> {
        let positions = &packed.positions;
        if self.first_position == 0 {
            return Ok(positions.shallow_clone());
        }
        let padding = self.first_position - 1;
        let skipped = packed.ids.f_eq(padding)?.f_to_kind(tch::Kind::Int64)?;
        let so_far = skipped.f_cumsum(0, tch::Kind::Int64)?;
        let begins = Tensor::f_arange(positions.size()[0], (tch::Kind::Int64, positions.device()))?
            .f_sub(positions)?;
        let earlier = so_far.f_sub(&skipped)?.f_index_select(0, &begins)?;
        let counted = positions.f_sub(&so_far.f_sub(&earlier)?)?.f_add_scalar(self.first_position)?;
        let kept = skipped.f_mul_scalar(-1)?.f_add_scalar(1)?;
        Ok(counted.f_mul(&kept)?.f_add(&skipped.f_mul_scalar(padding)?)?)
    }

    /// Numbers of the table of words: `[vocabulary, width]`.
    pub fn words(&self) -> [i64; 2] {
        self.words.size()
    }

    /// Most tokens that have a position.
    pub fn positions(&self) -> i64 {
        self.positions.size()[0] - self.first_position
    }
}

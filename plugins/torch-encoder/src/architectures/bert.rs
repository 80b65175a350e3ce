//! BERT (Devlin et al. 2019) and the encoders that differ from it in names and positions alone: RoBERTa (Liu et al.
//! 2019), XLM-RoBERTa (Conneau et al. 2020), DistilBERT (Sanh et al. 2019).

use tch::Tensor;

use super::Architecture;
use crate::error::TorchError;
use crate::folder::ModelFolder;
use crate::packed::{Packed, attention};
use crate::weights::Weights;

/// A post-norm transformer encoder with learned positions.
pub struct Bert {
    words: Tensor,
    positions: Tensor,
    /// The row of token type 0, which is every token's here; `None` where the model has no types.
    token_type: Option<Tensor>,
    norm: Norm,
    layers: Vec<Layer>,
    heads: i64,
    width: i64,
    /// Position of the first token: RoBERTa counts from the padding's id on.
    first_position: i64,
}

struct Layer {
    /// Query, key and value in one.
    mix: Linear,
    out: Linear,
    attention_norm: Norm,
    up: Linear,
    down: Linear,
    norm: Norm,
}

struct Linear {
    weight: Tensor,
    bias: Tensor,
}

struct Norm {
    weight: Tensor,
    bias: Tensor,
    epsilon: f64,
}

/// Where the parts of a layer are called what.
struct Names {
    layer: &'static str,
    mix: [&'static str; 3],
    out: &'static str,
    attention_norm: &'static str,
    up: &'static str,
    down: &'static str,
    norm: &'static str,
}

const BERT: Names = Names {
    layer: "encoder.layer",
    mix: ["attention.self.query", "attention.self.key", "attention.self.value"],
    out: "attention.output.dense",
    attention_norm: "attention.output.LayerNorm",
    up: "intermediate.dense",
    down: "output.dense",
    norm: "output.LayerNorm",
};

const DISTILBERT: Names = Names {
    layer: "transformer.layer",
    mix: ["attention.q_lin", "attention.k_lin", "attention.v_lin"],
    out: "attention.out_lin",
    attention_norm: "sa_layer_norm",
    up: "ffn.lin1",
    down: "ffn.lin2",
    norm: "output_layer_norm",
};

impl Bert {
    /// Reads the model of `folder`.
    ///
    /// # Errors
    /// If a number of the configuration or a weight is absent, or a weight has another shape.
    pub fn read(folder: &ModelFolder, weights: &Weights) -> Result<Self, TorchError> {
        let names = if folder.text("model_type") == "distilbert" { &DISTILBERT } else { &BERT };
        let width = folder.number(&["hidden_size", "dim"])?;
        let inner = folder.number(&["intermediate_size", "hidden_dim"])?;
        let heads = folder.number(&["num_attention_heads", "n_heads"])?;
        let layers = folder.number(&["num_hidden_layers", "n_layers"])?;
        let count = folder.number(&["vocab_size"])?;
        let positions = folder.number(&["max_position_embeddings"])?;
        let epsilon = folder.float("layer_norm_eps", 1e-12);
        let offset = match folder.text("model_type") {
            "roberta" | "xlm-roberta" | "camembert" => folder.number(&["pad_token_id"])? + 1,
            _ => 0,
        };
        let token_type = if weights.has("embeddings.token_type_embeddings.weight") {
            let types = folder.number(&["type_vocab_size"])?;
            let rows = weights.take("embeddings.token_type_embeddings.weight", &[types, width])?;
            Some(rows.f_select(0, 0)?)
        } else {
            None
        };
        Ok(Self {
            words: weights.take("embeddings.word_embeddings.weight", &[count, width])?,
            positions: weights.take("embeddings.position_embeddings.weight", &[positions, width])?,
            token_type,
            norm: Norm::read(weights, "embeddings.LayerNorm", width, epsilon)?,
            layers: (0..layers)
                .map(|layer| Layer::read(weights, names, layer, width, inner, epsilon))
                .collect::<Result<_, _>>()?,
            heads,
            width,
            first_position: offset,
        })
    }
}

impl Architecture for Bert {
    fn forward(&self, packed: &Packed) -> Result<Tensor, TorchError> {
        let words = Tensor::f_embedding(&self.words, &packed.ids, -1, false, false)?;
        let places = packed.positions.f_add_scalar(self.first_position)?;
        let mut rows = words.f_add(&Tensor::f_embedding(&self.positions, &places, -1, false, false)?)?;
        if let Some(token_type) = &self.token_type {
            rows = rows.f_add(token_type)?;
        }
        rows = self.norm.apply(&rows)?;
        for layer in &self.layers {
            rows = layer.forward(packed, &rows, self.heads)?;
        }
        Ok(rows)
    }

    fn width(&self) -> i64 {
        self.width
    }

    fn share(&self) -> Box<dyn Architecture> {
        Box::new(Self {
            words: self.words.shallow_clone(),
            positions: self.positions.shallow_clone(),
            token_type: self.token_type.as_ref().map(Tensor::shallow_clone),
            norm: self.norm.share(),
            layers: self.layers.iter().map(Layer::share).collect(),
            ..*self
        })
    }
}

impl Layer {
    fn read(
        weights: &Weights,
        names: &Names,
        layer: i64,
        width: i64,
        inner: i64,
        epsilon: f64,
    ) -> Result<Self, TorchError> {
        let name = |part: &str| format!("{}.{layer}.{part}", names.layer);
        let linear = |part: &str, shape: [i64; 2]| Linear::read(weights, &name(part), shape);
        let parts: Vec<Linear> =
            names.mix.iter().map(|part| linear(part, [width, width])).collect::<Result<_, _>>()?;
        Ok(Self {
            mix: Linear::join(&parts)?,
            out: linear(names.out, [width, width])?,
            attention_norm: Norm::read(weights, &name(names.attention_norm), width, epsilon)?,
            up: linear(names.up, [inner, width])?,
            down: linear(names.down, [width, inner])?,
            norm: Norm::read(weights, &name(names.norm), width, epsilon)?,
        })
    }

    fn forward(&self, packed: &Packed, rows: &Tensor, heads: i64) -> Result<Tensor, TorchError> {
        let width = rows.size()[1];
        let mixed = self.mix.apply(rows)?;
        let part = |index: i64| mixed.f_narrow(1, index * width, width)?.f_contiguous();
        let (query, key, value) = (part(0)?, part(1)?, part(2)?);
        let attended = attention(packed, [&query, &key, &value], heads)?;
        let rows = self.attention_norm.apply(&self.out.apply(&attended)?.f_add(rows)?)?;
        let inner = self.up.apply(&rows)?.f_gelu("none")?;
        self.norm.apply(&self.down.apply(&inner)?.f_add(&rows)?)
    }

    fn share(&self) -> Self {
        Self {
            mix: self.mix.share(),
            out: self.out.share(),
            attention_norm: self.attention_norm.share(),
            up: self.up.share(),
            down: self.down.share(),
            norm: self.norm.share(),
        }
    }
}

impl Linear {
    fn read(weights: &Weights, name: &str, [out, input]: [i64; 2]) -> Result<Self, TorchError> {
        Ok(Self {
            weight: weights.take(&format!("{name}.weight"), &[out, input])?,
            bias: weights.take(&format!("{name}.bias"), &[out])?,
        })
    }

    /// Several layers over the same input as one.
    fn join(parts: &[Self]) -> Result<Self, TorchError> {
        let weights: Vec<&Tensor> = parts.iter().map(|part| &part.weight).collect();
        let biases: Vec<&Tensor> = parts.iter().map(|part| &part.bias).collect();
        Ok(Self { weight: Tensor::f_cat(&weights, 0)?, bias: Tensor::f_cat(&biases, 0)? })
    }

    fn apply(&self, rows: &Tensor) -> Result<Tensor, TorchError> {
        Ok(rows.f_linear(&self.weight, Some(&self.bias))?)
    }

    fn share(&self) -> Self {
        Self { weight: self.weight.shallow_clone(), bias: self.bias.shallow_clone() }
    }
}

impl Norm {
    fn read(weights: &Weights, name: &str, width: i64, epsilon: f64) -> Result<Self, TorchError> {
        Ok(Self {
            weight: weights.take(&format!("{name}.weight"), &[width])?,
            bias: weights.take(&format!("{name}.bias"), &[width])?,
            epsilon,
        })
    }

    fn apply(&self, rows: &Tensor) -> Result<Tensor, TorchError> {
        let width = rows.size()[1];
        Ok(rows.f_layer_norm(
            [width].as_slice(),
            Some(&self.weight),
            Some(&self.bias),
            self.epsilon,
            false,
        )?)
    }

    fn share(&self) -> Self {
        Self { weight: self.weight.shallow_clone(), bias: self.bias.shallow_clone(), epsilon: self.epsilon }
    }
}

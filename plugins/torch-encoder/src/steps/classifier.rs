//! The heads by which sequence classifiers score a pair of texts.

use tch::{Kind, Tensor};

use super::step::{State, Step};
use crate::architectures::head;
use crate::error::TorchError;
use crate::folder::Config;
use crate::layers::{Activation, Linear, Norm, Table};
use crate::packed::Packed;
use crate::weights::Weights;

/// One row of a text, a dense layer, a norm where the model has one, and a linear layer to one number.
struct Classifier {
    /// True if the mean of all tokens is taken in place of the first.
    mean: bool,
    dense: Linear,
    activation: Activation,
    norm: Option<Norm>,
    out: Linear,
    last: Activation,
}

/// The head of the classifier that `config` describes, behind rows of `width` numbers; it works in float32. `is_raw` leaves out the
/// function over its scores.
///
/// # Errors
/// If the architecture has no known head, it gives several numbers, or a weight is absent or of another shape.
pub fn classifier(
    config: &Config,
    weights: &Weights,
    width: i64,
    is_raw: bool,
) -> Result<Box<dyn Step>, TorchError> {
    let head = head(config)?;
    let labels = weights.shape_absolute(&format!("{}.weight", head.out)).first().copied().unwrap_or(1);
    if labels != 1 {
        return Err(config
            .wrong(format!("expected a classifier with 1 label, as rerankers have, found {labels} labels")));
    }
    let root = if head.is_below_root { weights.root() } else { "" };
    let norm = head.norm.map(|name| norm(config, weights, name, width));
    Ok(Box::new(Classifier {
        mean: head.pooling.is_some_and(|key| config.text_or(key, "cls") == "mean"),
        dense: linear(weights, &format!("{root}{}", head.dense), [width, width])?,
        activation: (head.activation)(config)?,
        norm: norm.transpose()?,
        out: linear(weights, head.out, [1, width])?,
        last: if is_raw { Activation::Identity } else { last_activation(config)? },
    }))
}

fn linear(weights: &Weights, name: &str, [out, input]: [i64; 2]) -> Result<Linear, TorchError> {
    let weight = weights.take_float(&format!("{name}.weight"), &[out, input])?;
    let bias = format!("{name}.bias");
    let has_bias = !weights.shape_absolute(&bias).is_empty();
    let bias = if has_bias { Some(weights.take_float(&bias, &[out])?) } else { None };
    Ok(Linear::of(weight, bias))
}

fn norm(config: &Config, weights: &Weights, name: &str, width: i64) -> Result<Norm, TorchError> {
    let weight = weights.take_float(&format!("{name}.weight"), &[width])?;
    let bias =
        config.flag_or("norm_bias", false).then(|| weights.take_float(&format!("{name}.bias"), &[width]));
    Ok(Norm::of(weight, bias.transpose()?, config.float_or("norm_eps", 1e-5)))
}

/// As sentence-transformers decides it: what the configuration names, else the logistic function for one label.
fn last_activation(config: &Config) -> Result<Activation, TorchError> {
    let own = config.part("sentence_transformers");
    let name = own.text_or("activation_fn", config.text_or("sbert_ce_default_activation_function", ""));
    if name.is_empty() {
        return Ok(Activation::Sigmoid);
    }
    Activation::of_class(name).ok_or_else(|| {
        let known = "Identity, Tanh, ReLU, GELU, SiLU, Sigmoid";
        config.unsupported(format!(
            "activation of the scores: expected a torch class among {known}, found: {name}"
        ))
    })
}

impl Step for Classifier {
    fn apply(&self, packed: &Packed, state: State) -> Result<State, TorchError> {
        let mut parts: Vec<Tensor> = Vec::with_capacity(packed.groups.len());
        for group in packed.groups.iter().filter(|group| group.length > 0) {
            let rows = group.of(&state.rows)?;
            parts.push(if self.mean {
                rows.f_mean_dim([1].as_slice(), false, Kind::Float)?
            } else {
                rows.f_select(1, 0)?.f_to_kind(Kind::Float)?
            });
        }
        let rows = Tensor::f_cat(&parts, 0)?;
        let inner = self.activation.apply(self.dense.apply(&rows)?)?;
        let inner =
            self.norm.as_ref().map_or_else(|| Ok(inner.shallow_clone()), |norm| norm.apply(&inner))?;
        Ok(State { rows: self.last.apply(self.out.apply(&inner)?)?, weights: None })
    }

    fn width(&self) -> i64 {
        1
    }
}

// The head of Qwen3's rerankers (Zhang et al. 2025): how likely the next word is "yes" rather than
// "no".

/// The two rows of the output layer.
pub struct YesNo {
    /// `[2, width]`: yes, no.
    rows: Tensor,
}

impl YesNo {
    /// Takes the rows of the tokens `yes` and `no` from the output layer, or from the table of tokens where the model
    /// has one for both.
    ///
    /// # Errors
    /// If the table is absent or of another shape.
    pub fn read(
        weights: &Weights,
        [yes, no]: [u32; 2],
        [vocabulary, width]: [i64; 2],
    ) -> Result<Self, TorchError> {
        let places = [i64::from(yes), i64::from(no)];
        let rows = if weights.shape_absolute("lm_head.weight").is_empty() {
            let table = Table::read(weights, "embed_tokens.weight", [vocabulary, width])?;
            let places = Tensor::f_from_slice(&places)?.f_to_device(weights.device())?;
            table.look_up(&places)?.f_to_kind(Kind::Float)?
        } else {
            // The layer has a row for every token of the vocabulary; the others are never read.
            weights.rows_float("lm_head.weight", &[vocabulary, width], &places)?
        };
        Ok(Self { rows })
    }
}

impl Step for YesNo {
    fn apply(&self, packed: &Packed, state: State) -> Result<State, TorchError> {
        let mut parts: Vec<Tensor> = Vec::with_capacity(packed.groups.len());
        for group in packed.groups.iter().filter(|group| group.length > 0) {
            parts.push(group.of(&state.rows)?.f_select(1, group.length - 1)?.f_to_kind(Kind::Float)?);
        }
        let scores = Tensor::f_cat(&parts, 0)?.f_linear(&self.rows, None::<Tensor>)?;
        let yes = scores.f_softmax(1, Kind::Float)?.f_narrow(1, 0, 1)?;
        Ok(State { rows: yes, weights: None })
    }

    fn width(&self) -> i64 {
        1
    }
}

//! One row per text from the rows of its tokens, as sentence-transformers' `Pooling` makes it, and a weight for
//! each word, such as its inverse document frequency.

use serde_json::Value;
use tch::{Device, Kind, Tensor};

use super::step::{State, Step};
use crate::error::TorchError;
use crate::folder::{Config, Rule, Rules};
use crate::packed::{Group, Packed};

/// The ways to pool, put side by side.
pub struct Pooling {
    ways: Vec<Way>,
    /// False if the tokens of a prompt are left out.
    with_prompt: bool,
    width: i64,
}

/// One way to pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// The first token.
    Cls,
    /// The largest value of each feature.
    Max,
    /// The mean.
    Mean,
    /// The sum divided by the square root of the number of tokens.
    MeanSqrtLength,
    /// The mean weighted by place, 1 for the first token.
    WeightedMean,
    /// The last token.
    LastToken,
}

/// Old flag, new name, way; several flags are put side by side in this order.
const WAYS: [(&str, &str, Way); 6] = [
    ("pooling_mode_cls_token", "cls", Way::Cls),
    ("pooling_mode_max_tokens", "max", Way::Max),
    ("pooling_mode_mean_tokens", "mean", Way::Mean),
    ("pooling_mode_mean_sqrt_len_tokens", "mean_sqrt_len_tokens", Way::MeanSqrtLength),
    ("pooling_mode_weightedmean_tokens", "weightedmean", Way::WeightedMean),
    ("pooling_mode_lasttoken", "lasttoken", Way::LastToken),
];

/// What its configuration may say.
const KEYS: &Rules = &[
    ("embedding_dimension", Rule::Whole),
    ("word_embedding_dimension", Rule::Whole),
    ("pooling_mode", Rule::Any),
    ("include_prompt", Rule::Flag),
    ("pooling_mode_cls_token", Rule::Flag),
    ("pooling_mode_max_tokens", Rule::Flag),
    ("pooling_mode_mean_tokens", Rule::Flag),
    ("pooling_mode_mean_sqrt_len_tokens", Rule::Flag),
    ("pooling_mode_weightedmean_tokens", Rule::Flag),
    ("pooling_mode_lasttoken", Rule::Flag),
];

/// The mean of the rows, for static embeddings.
pub fn pool_static(width: i64) -> Pooling {
    Pooling { ways: vec![Way::Mean], with_prompt: true, width }
}

impl Pooling {
    /// Reads the module for rows of `width` numbers.
    ///
    /// # Errors
    /// If a way is not known, or the module expects another width.
    pub fn read(config: &Config, width: i64) -> Result<Self, TorchError> {
        let expected = if config.path().as_os_str().is_empty() {
            width
        } else {
            config.obey_strictly(KEYS)?;
            config.whole(&["embedding_dimension", "word_embedding_dimension"])?
        };
        if expected != width {
            let message = format!(
                "embedding_dimension: expected {width}, the width of the module before it, found {expected}"
            );
            return Err(config.wrong(message));
        }
        let ways = ways(config)?;
        let with_prompt = config.flag_or("include_prompt", true);
        Ok(Self { width: width * ways.len() as i64, ways, with_prompt })
    }
}

fn ways(config: &Config) -> Result<Vec<Way>, TorchError> {
    let Some(mode) = config.raw("pooling_mode") else {
        let flagged: Vec<Way> =
            WAYS.iter().filter(|(flag, ..)| config.flag_or(flag, false)).map(|(.., way)| *way).collect();
        return Ok(if flagged.is_empty() { vec![Way::Mean] } else { flagged });
    };
    let names = match mode {
        Value::Array(names) if !names.is_empty() => {
            names.iter().map(|name| name.as_str().unwrap_or_default()).collect()
        }
        mode => vec![mode.as_str().unwrap_or_default()],
    };
    let way = |name: &str| {
        WAYS.iter().find(|(_, known, _)| *known == name).map(|(.., way)| *way).ok_or_else(|| {
            let known: Vec<&str> = WAYS.iter().map(|(_, known, _)| *known).collect();
            config.unsupported(format!("pooling_mode: expected one of {}, found: {name}", known.join(", ")))
        })
    };
    names.into_iter().map(way).collect()
}

impl Step for Pooling {
    fn apply(&self, packed: &Packed, state: State) -> Result<State, TorchError> {
        let skip = if self.with_prompt { 0 } else { packed.skip };
        let mut parts = Vec::with_capacity(packed.groups.len());
        for group in &packed.groups {
            let rows = group.of(&state.rows)?;
            let weights = state.weights.as_ref().map(|weights| total(group, weights)).transpose()?;
            let pool = |way: &Way| way.pool(&rows, skip, weights.as_ref());
            let pooled: Vec<Tensor> = self.ways.iter().map(pool).collect::<Result<_, _>>()?;
            parts.push(Tensor::f_cat(&pooled, 1)?);
        }
        Ok(State { rows: Tensor::f_cat(&parts, 0)?, weights: None })
    }

    fn width(&self) -> i64 {
        self.width
    }
}

/// Sum of the weights of each text of a group, `[texts, 1]`.
fn total(group: &Group, weights: &Tensor) -> Result<Tensor, TorchError> {
    let weights = weights.f_narrow(0, group.start, group.texts * group.length)?;
    let weights = weights.f_view([group.texts, group.length])?;
    Ok(weights.f_sum_dim_intlist([1].as_slice(), true, Kind::Float)?)
}

impl Way {
    /// Pools `[texts, length, width]` into `[texts, width]` in float32. `skip` tokens at the start belong to the prompt;
    /// `weights` divides in place of the number of tokens. A text without tokens gives zeros.
    fn pool(self, rows: &Tensor, skip: i64, weights: Option<&Tensor>) -> Result<Tensor, TorchError> {
        let size = rows.size();
        let length = size[1];
        if length == 0 {
            return Ok(Tensor::f_zeros([size[0], size[2]], (Kind::Float, rows.device()))?);
        }
        let skip = skip.min(length);
        let rest = rows.f_narrow(1, skip, length - skip)?;
        Ok(match self {
            Self::Cls => rows.f_select(1, if skip < length { skip } else { 0 })?.f_to_kind(Kind::Float)?,
            Self::LastToken => rows.f_select(1, length - 1)?.f_to_kind(Kind::Float)?,
            Self::Max if skip == length => Tensor::f_zeros([size[0], size[2]], (Kind::Float, rows.device()))?,
            Self::Max => rest.f_amax([1].as_slice(), false)?.f_to_kind(Kind::Float)?,
            Self::Mean | Self::MeanSqrtLength => {
                let sum = rest.f_sum_dim_intlist([1].as_slice(), false, Kind::Float)?;
                let count = ((length - skip) as f64).max(1e-9);
                match (weights, self) {
                    (Some(weights), Self::Mean) => sum.f_div(&weights.f_clamp_min(1e-9)?)?,
                    (Some(weights), _) => sum.f_div(&weights.f_clamp_min(1e-9)?.f_sqrt()?)?,
                    (None, Self::Mean) => sum.f_div_scalar(count)?,
                    (None, _) => sum.f_div_scalar(count.sqrt())?,
                }
            }
            Self::WeightedMean => {
                let places = Tensor::f_arange_start(skip + 1, length + 1, (Kind::Float, rows.device()))?;
                let weighted = rest.f_to_kind(Kind::Float)?.f_mul(&places.f_view([1, -1, 1])?)?;
                let sum = weighted.f_sum_dim_intlist([1].as_slice(), false, Kind::Float)?;
                let count = (skip + 1..=length).sum::<i64>() as f64;
                match weights {
                    Some(weights) => sum.f_div(&weights.f_clamp_min(1e-9)?)?,
                    None => sum.f_div_scalar(count.max(1e-9))?,
                }
            }
        })
    }
}

/// sentence-transformers' `WordWeights`.
pub struct WordWeights {
    weights: Tensor,
    width: i64,
}

impl WordWeights {
    /// Reads the module for rows of `width` numbers.
    ///
    /// # Errors
    /// If its vocabulary is absent.
    pub fn read(config: &Config, width: i64, device: Device) -> Result<Self, TorchError> {
        config.obey_strictly(&[
            ("vocab", Rule::List),
            ("word_weights", Rule::Object),
            ("unknown_word_weight", Rule::Number),
        ])?;
        let words = config.get("vocab").and_then(Value::as_array);
        if !words.is_some_and(|words| words.iter().all(Value::is_string)) {
            return Err(config.wrong("expected `vocab`, a list of words, found none".to_owned()));
        }
        let given = config.get("word_weights").and_then(Value::as_object);
        let given = given.ok_or_else(|| config.wrong("expected `word_weights`, found none".to_owned()))?;
        if let Some((word, _)) = given.iter().find(|(_, weight)| !weight.is_number()) {
            return Err(config.wrong(format!("`word_weights`: expected a number for `{word}`, found none")));
        }
        let unknown = config.float_or("unknown_word_weight", 1.0);
        let weight = |word: &str| {
            let found = given.get(word).or_else(|| given.get(&word.to_lowercase()));
            found.and_then(Value::as_f64).unwrap_or(unknown) as f32
        };
        let weights: Vec<f32> = config.texts("vocab").into_iter().map(weight).collect();
        Ok(Self { weights: Tensor::f_from_slice(&weights)?.f_to_device(device)?, width })
    }
}

impl Step for WordWeights {
    fn apply(&self, packed: &Packed, state: State) -> Result<State, TorchError> {
        let weights = self.weights.f_index_select(0, &packed.ids)?;
        let rows = state.rows.f_mul(&weights.f_unsqueeze(1)?)?;
        Ok(State { rows, weights: Some(weights) })
    }

    fn width(&self) -> i64 {
        self.width
    }
}

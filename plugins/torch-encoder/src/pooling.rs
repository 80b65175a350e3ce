//! One row a text from the rows of its tokens, as sentence-transformers' `Pooling` makes it.

use serde_json::{Map, Value};
use tch::{Kind, Tensor};

use crate::error::TorchError;
use crate::packed::Packed;

/// One way to pool; several are put side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pooling {
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

/// The ways that a `Pooling` configuration asks for, in sentence-transformers' order.
pub fn pooling_of(config: &Map<String, Value>) -> Vec<Pooling> {
    let ways = [
        ("pooling_mode_cls_token", "cls", Pooling::Cls),
        ("pooling_mode_max_tokens", "max", Pooling::Max),
        ("pooling_mode_mean_tokens", "mean", Pooling::Mean),
        ("pooling_mode_mean_sqrt_len_tokens", "mean_sqrt_len_tokens", Pooling::MeanSqrtLength),
        ("pooling_mode_weightedmean_tokens", "weightedmean", Pooling::WeightedMean),
        ("pooling_mode_lasttoken", "lasttoken", Pooling::LastToken),
    ];
    let named = config.get("pooling_mode").and_then(Value::as_str);
    let asked = |key: &str, name: &str| {
        config.get(key).and_then(Value::as_bool).unwrap_or(false) || named == Some(name)
    };
    let found: Vec<Pooling> =
        ways.into_iter().filter(|(key, name, _)| asked(key, name)).map(|(_, _, way)| way).collect();
    if found.is_empty() { vec![Pooling::Mean] } else { found }
}

/// Pools the rows of all tokens, `[tokens, width]`, into `[texts, width × ways]`, in the order of the packing.
///
/// # Errors
/// If libtorch fails.
pub fn pool(packed: &Packed, rows: &Tensor, ways: &[Pooling]) -> Result<Tensor, TorchError> {
    let mut parts = Vec::with_capacity(packed.groups.len());
    for group in &packed.groups {
        let rows = group.of(rows)?;
        let pooled: Vec<Tensor> = ways.iter().map(|way| pool_group(&rows, *way)).collect::<Result<_, _>>()?;
        parts.push(Tensor::f_cat(&pooled, 1)?);
    }
    Ok(Tensor::f_cat(&parts, 0)?)
}

/// Pools `[texts, length, width]` into `[texts, width]`.
fn pool_group(rows: &Tensor, way: Pooling) -> Result<Tensor, TorchError> {
    let length = rows.size()[1];
    Ok(match way {
        Pooling::Cls => rows.f_select(1, 0)?,
        Pooling::LastToken => rows.f_select(1, length - 1)?,
        Pooling::Max => rows.f_amax([1].as_slice(), false)?,
        Pooling::Mean => rows.f_sum_dim_intlist([1].as_slice(), false, None)?.f_div_scalar(length as f64)?,
        Pooling::MeanSqrtLength => {
            rows.f_sum_dim_intlist([1].as_slice(), false, None)?.f_div_scalar((length as f64).sqrt())?
        }
        Pooling::WeightedMean => {
            let weights = Tensor::f_arange_start(1, length + 1, (Kind::Float, rows.device()))?
                .f_to_kind(rows.kind())?
                .f_view([1, length, 1])?;
            let total = (length * (length + 1)) as f64 / 2.0;
            rows.f_mul(&weights)?.f_sum_dim_intlist([1].as_slice(), false, None)?.f_div_scalar(total)?
        }
    })
}

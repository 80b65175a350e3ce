//! Numbers that depend on the distance of two tokens and are added to the scores of attention.

use tch::{Kind, Tensor};

use crate::error::TorchError;
use crate::packed::Packed;

/// Place of the token that is seen minus place of the one that sees it, `[longest, longest]`.
///
/// # Errors
/// If libtorch fails.
pub fn distances(packed: &Packed) -> Result<Tensor, TorchError> {
    let places = Tensor::f_arange(packed.longest(), (Kind::Int64, packed.device()))?;
    Ok(places.f_unsqueeze(0)?.f_sub(&places.f_unsqueeze(1)?)?)
}

/// Relative position biases in buckets, both directions (Raffel et al. 2020): the rows of `table`,
/// `[buckets, heads]`, as `[heads, longest, longest]`.
///
/// # Errors
/// If libtorch fails.
pub fn bucket_table(packed: &Packed, table: &Tensor, max_distance: i64) -> Result<Tensor, TorchError> {
    let buckets = table.size()[0] / 2;
    let exact = buckets / 2;
    let distances = distances(packed)?;
    let later = distances.f_gt(0)?.f_to_kind(Kind::Int64)?.f_mul_scalar(buckets)?;
    let far = distances.f_abs()?;
    // Half of the buckets are for distances of their own, the others grow with the logarithm.
    let steps = (max_distance as f64 / exact as f64).ln();
    let grown = far.f_to_kind(Kind::Float)?.f_div_scalar(exact as f64)?.f_log()?.f_div_scalar(steps)?;
    let grown = grown.f_mul_scalar((buckets - exact) as f64)?.f_clamp_min(0.0)?.f_to_kind(Kind::Int64)?;
    let grown = grown.f_add_scalar(exact)?.f_clamp_max(buckets - 1)?;
    let bucket = far.f_where_self(&far.f_lt(exact)?, &grown)?.f_add(&later)?;
    let biases = Tensor::f_embedding(table, &bucket, -1, false, false)?;
    Ok(biases.f_permute([2, 0, 1])?.f_contiguous()?)
}

/// The slope of each head in ALiBi (Press et al. 2022), as BLOOM computes it.
pub fn alibi_slopes(heads: i64) -> Vec<f32> {
    let heads = u32::try_from(heads).unwrap_or(0);
    let power = if heads == 0 { 1 } else { 1 << heads.ilog2() };
    let slope = |base: f64, exponent: u32| base.powi(i32::try_from(exponent).unwrap_or(0)) as f32;
    let base = |heads: u32| 2_f64.powf(-(2_f64.powf(-(f64::from(heads).log2() - 3.0))));
    let first = (1..=power.min(heads)).map(|head| slope(base(power), head));
    let rest = (0..heads.saturating_sub(power)).map(|head| slope(base(2 * power), 2 * head + 1));
    first.chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::alibi_slopes;

    #[test]
    fn eight_heads_have_the_slopes_of_the_paper() {
        let expected: Vec<f32> = (1..=8).map(|head| 0.5_f32.powi(head)).collect();
        assert_eq!(alibi_slopes(8), expected);
    }

    #[test]
    fn heads_beyond_a_power_of_two_lie_between_the_others() {
        let slopes = alibi_slopes(12);
        assert_eq!(slopes.len(), 12);
        assert!((slopes[8] - 0.5_f32.sqrt()).abs() < 1e-7, "{slopes:?}");
    }
}

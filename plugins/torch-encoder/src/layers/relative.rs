//! Numbers that depend on the distance of two tokens and are added to the scores of attention.

use std::cell::RefCell;

use tch::{Device, Kind, Tensor};

use super::window::{BLOCK, Seen, attend};
use crate::error::TorchError;

/// Tokens of texts for which the numbers of all pairs are kept together; of longer ones they are made block by block.
const WHOLE: i64 = 1024;

/// Numbers of heads by the distances `[queries, keys]`, as `[1 or heads, queries, keys]`.
type Added<'a> = dyn Fn(&Tensor) -> Result<Tensor, TorchError> + 'a;

/// Numbers that are added to the scores.
pub struct RelativeMask<'a> {
    added: Box<Added<'a>>,
    /// Those of all pairs of tokens in texts that are not long.
    whole: RefCell<Option<Tensor>>,
}

impl<'a> RelativeMask<'a> {
    /// The numbers that `added` gives for distances.
    pub fn new(added: impl Fn(&Tensor) -> Result<Tensor, TorchError> + 'a) -> Self {
        Self { added: Box::new(added), whole: RefCell::default() }
    }

    /// Mixes the values of each text, `[texts, heads, length, size]`; no text has more than `longest` tokens.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn attend(&self, rows: [&Tensor; 3], longest: i64, scale: f64) -> Result<Tensor, TorchError> {
        let [query, key, value] = rows;
        let (length, kind) = (query.size()[2], query.kind());
        if length <= WHOLE {
            let added = self.whole(longest.min(WHOLE), query.device())?;
            let corner = added.f_narrow(1, 0, length)?.f_narrow(2, 0, length)?;
            return attend(rows, Seen::Flags(corner.f_unsqueeze(0)?.f_to_kind(kind)?), scale);
        }
        let block = |begin: i64| {
            let count = BLOCK.min(length - begin);
            let added = (self.added)(&distances([begin, count, length], query.device())?)?;
            let seen = Seen::Flags(added.f_unsqueeze(0)?.f_to_kind(kind)?);
            attend([&query.f_narrow(2, begin, count)?, key, value], seen, scale)
        };
        let blocks =
            (0..length).step_by(BLOCK as usize).map(block).collect::<Result<Vec<_>, TorchError>>()?;
        Ok(Tensor::f_cat(&blocks, 2)?)
    }

    fn whole(&self, length: i64, device: Device) -> Result<Tensor, TorchError> {
        if let Some(whole) = &*self.whole.borrow() {
            return Ok(whole.shallow_clone());
        }
        let whole = (self.added)(&distances([0, length, length], device)?)?;
        *self.whole.borrow_mut() = Some(whole.shallow_clone());
        Ok(whole)
    }
}

/// Place of the token that is seen minus place of the one that sees it, `[queries, keys]`; `first` is the place of the first query.
fn distances([first, queries, keys]: [i64; 3], device: Device) -> Result<Tensor, TorchError> {
    let places = |count: i64| Tensor::f_arange(count, (Kind::Int64, device));
    Ok(places(keys)?.f_unsqueeze(0)?.f_sub(&places(queries)?.f_add_scalar(first)?.f_unsqueeze(1)?)?)
}

/// Relative position biases in buckets, both directions (Raffel et al. 2020): the rows of `table`, `[buckets, heads]`, for distances
/// `[queries, keys]`, as `[heads, queries, keys]`.
///
/// # Errors
/// If libtorch fails.
pub fn bucket_biases(distances: &Tensor, table: &Tensor, max_distance: i64) -> Result<Tensor, TorchError> {
    let buckets = table.size()[0] / 2;
    let exact = buckets / 2;
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
    use super::*;

    #[test]
    fn long_texts_in_blocks_give_what_the_whole_gives() {
        tch::manual_seed(5);
        let length = 2 * BLOCK + 300;
        let rows: Vec<Tensor> =
            (0..3).map(|_| Tensor::randn([1, 2, length, 8], (Kind::Float, Device::Cpu))).collect();
        let rows = [&rows[0], &rows[1], &rows[2]];
        let added =
            |distances: &Tensor| Ok(distances.f_to_kind(Kind::Float)?.f_mul_scalar(-0.01)?.f_unsqueeze(0)?);
        let whole = added(&distances([0, length, length], Device::Cpu).unwrap()).unwrap();
        let expected = attend(rows, Seen::Flags(whole), 0.5).unwrap();
        let found = RelativeMask::new(added).attend(rows, length, 0.5).unwrap();
        let difference = (found - expected).abs().max().double_value(&[]);
        // Scores are up to 13 apart, so that sums in another order differ by more than a digit.
        assert!(difference < 1e-5, "{difference:e}");
    }

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

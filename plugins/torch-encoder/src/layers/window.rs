//! Attention of tokens that see some places around them: in blocks of queries, each with the keys that one of them sees, so that
//! the memory grows with the length of a text and not with its square.

use std::cell::RefCell;
use std::collections::HashMap;

use tch::{Device, Kind, Tensor};

use super::short_attention;
use crate::error::TorchError;

/// Queries of a block.
pub const BLOCK: i64 = 512;

/// Places that a token sees.
#[derive(Debug)]
pub struct WindowMask {
    back: i64,
    ahead: i64,
    /// Flags of blocks, by the place of the first query among the keys, and the numbers of queries and keys.
    flags: RefCell<HashMap<[i64; 3], Tensor>>,
}

/// What queries see of keys.
pub enum Seen {
    /// Everything.
    All,
    /// Themselves and what is before.
    Causal,
    /// By the place of both: numbers that are added to the scores, or flags.
    Flags(Tensor),
}

/// Mixes values, `[texts, heads, queries, size]`.
///
/// # Errors
/// If libtorch fails.
pub fn attend([query, key, value]: [&Tensor; 3], seen: Seen, scale: f64) -> Result<Tensor, TorchError> {
    let (flags, causal) = match seen {
        Seen::All => (None, false),
        Seen::Causal => (None, true),
        Seen::Flags(flags) => (Some(flags), false),
    };
    if flags.is_none()
        && let Some(mixed) = short_attention::mix([query, key, value], causal, scale)?
    {
        return Ok(mixed);
    }
    Ok(Tensor::f_scaled_dot_product_attention(query, key, value, flags, 0.0, causal, scale, false)?)
}

impl WindowMask {
    /// Up to `back` places before a token and `ahead` places behind it.
    pub fn new(back: i64, ahead: i64) -> Self {
        Self { back, ahead, flags: RefCell::default() }
    }

    /// Mixes the values of each text, `[texts, heads, length, size]`. A limit that no token of the text reaches is none.
    /// The queries may be those of the last tokens alone.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn attend(&self, [query, key, value]: [&Tensor; 3], scale: f64) -> Result<Tensor, TorchError> {
        let (queries, length) = (query.size()[2], key.size()[2]);
        let before = length - queries;
        match (self.back >= length - 1, self.ahead) {
            // libtorch's own mask lets the first query see the first key alone.
            (true, 0) if before == 0 => return attend([query, key, value], Seen::Causal, scale),
            (true, ahead) if ahead >= length - 1 => return attend([query, key, value], Seen::All, scale),
            _ => {}
        }
        let block = |begin: i64| {
            let count = BLOCK.min(queries - begin);
            let place = before + begin;
            let end = place + count;
            let first = place.saturating_sub(self.back).max(0);
            let last = end.saturating_add(self.ahead).min(length);
            let keys = |rows: &Tensor| rows.f_narrow(2, first, last - first);
            let flags = self.flags([place - first, count, last - first], query.device())?;
            attend([&query.f_narrow(2, begin, count)?, &keys(key)?, &keys(value)?], Seen::Flags(flags), scale)
        };
        let blocks =
            (0..queries).step_by(BLOCK as usize).map(block).collect::<Result<Vec<_>, TorchError>>()?;
        match <[Tensor; 1]>::try_from(blocks) {
            Ok([block]) => Ok(block),
            Err(blocks) => Ok(Tensor::f_cat(&blocks, 2)?),
        }
    }

    /// Which keys the queries of a block see, `[1, 1, queries, keys]`; `offset` is the place of the first query among the keys.
    fn flags(&self, [offset, queries, keys]: [i64; 3], device: Device) -> Result<Tensor, TorchError> {
        if let Some(flags) = self.flags.borrow().get(&[offset, queries, keys]) {
            return Ok(flags.shallow_clone());
        }
        let places = |count: i64| Tensor::f_arange(count, (Kind::Int64, device));
        let from = places(queries)?.f_add_scalar(offset)?.f_unsqueeze(1)?;
        let distances = places(keys)?.f_unsqueeze(0)?.f_sub(&from)?;
        let seen = distances.f_ge(self.back.saturating_neg())?.f_logical_and(&distances.f_le(self.ahead)?)?;
        let seen = seen.f_unsqueeze(0)?.f_unsqueeze(0)?;
        self.flags.borrow_mut().insert([offset, queries, keys], seen.shallow_clone());
        Ok(seen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same by one table of flags for the whole text.
    fn plain([query, key, value]: [&Tensor; 3], back: i64, ahead: i64) -> Tensor {
        let length = query.size()[2];
        let places = Tensor::arange(length, (Kind::Int64, Device::Cpu));
        let distances = places.unsqueeze(0) - places.unsqueeze(1);
        let seen = distances.ge(-back).logical_and(&distances.le(ahead));
        attend([query, key, value], Seen::Flags(seen), 0.5).unwrap()
    }

    #[test]
    fn blocks_give_what_the_whole_gives() {
        tch::manual_seed(3);
        for length in [1, 40, BLOCK, BLOCK + 1, 3 * BLOCK - 7] {
            let rows: Vec<Tensor> =
                (0..3).map(|_| Tensor::randn([2, 2, length, 8], (Kind::Float, Device::Cpu))).collect();
            let rows = [&rows[0], &rows[1], &rows[2]];
            for (back, ahead) in [(10, 0), (3, 5), (700, 0), (64, 64), (length - 1, 2), (i64::MAX, 4)] {
                let found = WindowMask::new(back, ahead).attend(rows, 0.5).unwrap();
                let expected = plain(rows, back.min(length), ahead);
                let difference = (found - expected).abs().max().double_value(&[]);
                assert!(difference < 1e-6, "{difference:e} for {length} tokens, {back} back, {ahead} ahead");
            }
        }
    }

    #[test]
    fn queries_of_the_last_tokens_give_the_last_rows() {
        tch::manual_seed(4);
        let length = 2 * BLOCK + 30;
        let rows: Vec<Tensor> =
            (0..3).map(|_| Tensor::randn([2, 2, length, 8], (Kind::Float, Device::Cpu))).collect();
        for (back, ahead) in [(i64::MAX, 0), (10, 0), (700, 0), (64, 64), (i64::MAX, i64::MAX)] {
            let window = WindowMask::new(back, ahead);
            let whole = window.attend([&rows[0], &rows[1], &rows[2]], 0.5).unwrap();
            for count in [1, 15, BLOCK + 1] {
                let last = |rows: &Tensor| rows.narrow(2, length - count, count);
                let found = window.attend([&last(&rows[0]), &rows[1], &rows[2]], 0.5).unwrap();
                let difference = (found - last(&whole)).abs().max().double_value(&[]);
                assert!(difference < 1e-6, "{difference:e} for {count} queries, {back} back, {ahead} ahead");
            }
        }
    }

    #[test]
    fn flags_are_made_once_for_blocks_that_see_alike() {
        let rows = Tensor::zeros([1, 1, 6 * BLOCK, 4], (Kind::Float, Device::Cpu));
        let window = WindowMask::new(64, 0);
        let _ = window.attend([&rows, &rows, &rows], 1.0).unwrap();
        assert_eq!(window.flags.borrow().len(), 2, "the first block, and all behind it");
    }
}

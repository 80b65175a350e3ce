//! Attention (Vaswani et al. 2017) within each text of a packed batch.

use tch::Tensor;

use super::relative::RelativeMask;
use super::window::{Seen, WindowMask, attend};
use crate::error::TorchError;
use crate::packed::{Group, Packed};

/// How rows are split into heads.
#[derive(Clone, Copy, Debug)]
pub struct Heads {
    /// Heads of the queries.
    pub query: i64,
    /// Heads of keys and values; each serves several heads of queries if there are fewer.
    pub key: i64,
    /// Numbers in a head.
    pub size: i64,
    /// Factor of the scores before the softmax.
    pub scale: f64,
}

impl Heads {
    /// `count` heads over rows of `width` numbers, with the usual scale.
    pub fn new(count: i64, width: i64) -> Self {
        let size = width / count.max(1);
        Self { query: count, key: count, size, scale: 1.0 / (size as f64).sqrt() }
    }
}

/// Which tokens a token sees.
pub enum Mask<'a> {
    /// All of its text.
    All,
    /// Itself and those before it.
    Causal,
    /// Those within some places.
    Window(WindowMask),
    /// Everything, with numbers by the distance that are added to the scores.
    Relative(RelativeMask<'a>),
}

impl Mask<'_> {
    /// Tokens up to `back` places before and `ahead` places after.
    pub fn window(back: i64, ahead: i64) -> Self {
        Self::Window(WindowMask::new(back, ahead))
    }

    /// Mixes the values of each text, `[texts, heads, length, size]`; no text has more than `longest`
    /// tokens. Only windows accept queries of the last tokens alone, with keys and values of all.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn attend(&self, rows: [&Tensor; 3], longest: i64, scale: f64) -> Result<Tensor, TorchError> {
        match self {
            Self::All => attend(rows, Seen::All, scale),
            Self::Causal => attend(rows, Seen::Causal, scale),
            Self::Window(window) => window.attend(rows, scale),
            Self::Relative(relative) => relative.attend(rows, longest, scale),
        }
    }
}

/// Mixes the values within each text; `query`, `key` and `value` are `[tokens, heads × size]`, and so is the result.
///
/// # Errors
/// If libtorch fails.
pub fn attention(
    packed: &Packed,
    [query, key, value]: [&Tensor; 3],
    heads: &Heads,
    mask: &Mask<'_>,
) -> Result<Tensor, TorchError> {
    let mut parts = Vec::with_capacity(packed.groups.len());
    for group in packed.groups.iter().filter(|group| group.length > 0) {
        let query = split(group, query, heads.query, heads)?;
        let (key, value) = (split(group, key, heads.key, heads)?, split(group, value, heads.key, heads)?);
        let (key, value) = (repeat(key, heads)?, repeat(value, heads)?);
        let mixed = mask.attend([&query, &key, &value], packed.longest(), heads.scale)?;
        parts.push(join(&mixed)?);
    }
    match parts.len() {
        0 => Ok(query.shallow_clone()),
        1 => Ok(parts.remove(0)),
        _ => Ok(Tensor::f_cat(&parts, 0)?),
    }
}

/// `[texts, heads, length, size]`, without a copy.
///
/// # Errors
/// If libtorch fails.
pub fn split(group: &Group, rows: &Tensor, count: i64, heads: &Heads) -> Result<Tensor, TorchError> {
    let rows = rows.f_narrow(0, group.start, group.texts * group.length)?;
    Ok(rows.f_view([group.texts, group.length, count, heads.size])?.f_transpose(1, 2)?)
}

/// `[texts, heads, length, size]` as rows, `[texts × length, heads × size]`.
///
/// # Errors
/// If libtorch fails.
pub fn join(heads: &Tensor) -> Result<Tensor, TorchError> {
    let size = heads.size();
    Ok(heads.f_transpose(1, 2)?.f_reshape([size[0] * size[2], size[1] * size[3]])?)
}

/// Heads of keys or values as often as there are heads of queries.
///
/// # Errors
/// If libtorch fails.
pub fn repeat(rows: Tensor, heads: &Heads) -> Result<Tensor, TorchError> {
    if heads.query == heads.key {
        return Ok(rows);
    }
    Ok(rows.f_repeat_interleave_self_int(heads.query / heads.key, 1, None)?)
}

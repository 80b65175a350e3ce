//! Attention (Vaswani et al. 2017) within each text of a packed batch.

use tch::{Kind, Tensor};

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
pub enum Mask {
    /// All of its text.
    All,
    /// Itself and those before it.
    Causal,
    /// By the place of both: numbers that are added to the scores, or flags that say what is seen; `[1 or heads,
    /// longest, longest]`. A shorter text takes the upper left corner.
    Table(Tensor),
}

impl Mask {
    /// Tokens up to `back` places before and `ahead` places after; a limit that no text reaches is left out.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn window(packed: &Packed, back: i64, ahead: i64) -> Result<Self, TorchError> {
        let far = packed.longest() - 1;
        if back >= far && ahead >= far {
            return Ok(Self::All);
        }
        if back >= far && ahead == 0 {
            return Ok(Self::Causal);
        }
        let distances = super::distances(packed)?;
        let seen = distances.f_ge(-back)?.f_logical_and(&distances.f_le(ahead)?)?;
        Ok(Self::Table(seen.f_unsqueeze(0)?))
    }

    /// The causal mask laid over numbers that are added to the scores, `[heads, longest, longest]`.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn causal_table(packed: &Packed, added: &Tensor) -> Result<Self, TorchError> {
        let later = super::distances(packed)?.f_gt(0)?;
        Ok(Self::Table(added.f_masked_fill(&later, f64::NEG_INFINITY)?))
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
    mask: &Mask,
) -> Result<Tensor, TorchError> {
    let mut parts = Vec::with_capacity(packed.groups.len());
    for group in packed.groups.iter().filter(|group| group.length > 0) {
        let query = split(group, query, heads.query, heads)?;
        let (key, value) = (split(group, key, heads.key, heads)?, split(group, value, heads.key, heads)?);
        let (key, value) = (repeat(key, heads)?, repeat(value, heads)?);
        let (table, causal) = match mask {
            Mask::All => (None, false),
            Mask::Causal => (None, true),
            Mask::Table(table) => (Some(corner(table, group.length, query.kind())?), false),
        };
        let mixed = Tensor::f_scaled_dot_product_attention(
            &query,
            &key,
            &value,
            table,
            0.0,
            causal,
            heads.scale,
            false,
        )?;
        let width = heads.query * heads.size;
        parts.push(mixed.f_transpose(1, 2)?.f_reshape([group.texts * group.length, width])?);
    }
    match parts.len() {
        0 => Ok(query.shallow_clone()),
        1 => Ok(parts.remove(0)),
        _ => Ok(Tensor::f_cat(&parts, 0)?),
    }
}

/// `[texts, heads, length, size]`, without a copy.
fn split(group: &Group, rows: &Tensor, count: i64, heads: &Heads) -> Result<Tensor, TorchError> {
    let rows = rows.f_narrow(0, group.start, group.texts * group.length)?;
    Ok(rows.f_view([group.texts, group.length, count, heads.size])?.f_transpose(1, 2)?)
}

fn repeat(rows: Tensor, heads: &Heads) -> Result<Tensor, TorchError> {
    if heads.query == heads.key {
        return Ok(rows);
    }
    Ok(rows.f_repeat_interleave_self_int(heads.query / heads.key, 1, None)?)
}

fn corner(table: &Tensor, length: i64, kind: Kind) -> Result<Tensor, TorchError> {
    let corner = table.f_narrow(1, 0, length)?.f_narrow(2, 0, length)?.f_unsqueeze(0)?;
    if corner.kind() == Kind::Bool { Ok(corner) } else { Ok(corner.f_to_kind(kind)?) }
}

//! A prefix with which all texts of a batch begin, such as an instruction, is computed once: where no
//! token sees what is behind it, the rows of the prefix do not depend on the rest of a text.

use tch::Tensor;

use super::attention::{Heads, Mask, join, repeat, split};
use crate::error::TorchError;
use crate::packed::{Group, Packed, move_to};

/// Tokens of the shortest prefix that is computed once.
const LEAST: i64 = 8;
/// The part of a batch's tokens that must be saved, as its inverse.
const PART: i64 = 8;

/// A batch in which the prefix stands once.
pub struct SharedPrefix {
    /// The prefix as a text of its own, then the rest of each text at the positions behind it.
    packed: Packed,
    /// For each token of the whole batch, its row among those that are computed.
    places: Tensor,
    /// Tokens in the longest text, with the prefix.
    longest: i64,
}

/// Where tokens of a batch with a prefix stand.
#[derive(Debug, PartialEq, Eq)]
struct Layout {
    /// Tokens of the whole batch that are computed.
    chosen: Vec<i64>,
    /// For each token of the whole batch, its place among the chosen ones.
    places: Vec<i64>,
    /// The prefix, then the rests.
    groups: Vec<Group>,
}

impl SharedPrefix {
    /// Lays out a batch if its prefix is long enough to save work. At least one token of each text
    /// stays behind the prefix.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn find(packed: &Packed) -> Result<Option<Self>, TorchError> {
        let Some(length) = measure(packed.shared, &packed.groups) else { return Ok(None) };
        let Layout { chosen, places, groups } = lay_out(length, &packed.groups);
        let device = packed.ids.device();
        let chosen = move_to(&chosen, device)?;
        let types = packed.types.as_ref().map(|types| types.f_index_select(0, &chosen)).transpose()?;
        let computed = Packed {
            ids: packed.ids.f_index_select(0, &chosen)?,
            positions: packed.positions.f_index_select(0, &chosen)?,
            types,
            groups,
            skip: packed.skip,
            shared: 0,
        };
        Ok(Some(Self { packed: computed, places: move_to(&places, device)?, longest: packed.longest() }))
    }

    /// The tokens that are computed.
    pub fn packed(&self) -> &Packed {
        &self.packed
    }

    /// Mixes the values of the prefix, and those of each text with the prefix before it; `mask` is a
    /// window without a token behind. `query`, `key` and `value` are `[tokens, heads × size]`, and so
    /// is the result.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn attention(
        &self,
        [query, key, value]: [&Tensor; 3],
        heads: &Heads,
        mask: &Mask<'_>,
    ) -> Result<Tensor, TorchError> {
        let groups = &self.packed.groups;
        let mut parts = Vec::with_capacity(groups.len());
        for (number, group) in groups.iter().enumerate() {
            let prefix = groups.first().filter(|_| number > 0);
            let seen = |rows: &Tensor| repeat(put_before(prefix, group, rows, heads)?, heads);
            let query = split(group, query, heads.query, heads)?;
            let mixed = mask.attend([&query, &seen(key)?, &seen(value)?], self.longest, heads.scale)?;
            parts.push(join(&mixed)?);
        }
        Ok(Tensor::f_cat(&parts, 0)?)
    }

    /// Rows of all tokens of the whole batch, of those that were computed.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn put_back(&self, rows: &Tensor) -> Result<Tensor, TorchError> {
        Ok(rows.f_index_select(0, &self.places)?)
    }
}

/// Heads of keys or values of a group, with those of the prefix before each text,
/// `[texts, heads, length, size]`.
fn put_before(
    prefix: Option<&Group>,
    group: &Group,
    rows: &Tensor,
    heads: &Heads,
) -> Result<Tensor, TorchError> {
    let own = split(group, rows, heads.key, heads)?;
    let Some(prefix) = prefix else { return Ok(own) };
    let shared = split(prefix, rows, heads.key, heads)?;
    let shared = shared.f_expand([group.texts, heads.key, prefix.length, heads.size], false)?;
    Ok(Tensor::f_cat(&[shared, own], 2)?)
}

/// Tokens of the prefix of texts that have `shared` tokens in common; `None` where too little is saved.
fn measure(shared: i64, groups: &[Group]) -> Option<i64> {
    let shortest = groups.iter().map(|group| group.length).min()?;
    let texts: i64 = groups.iter().map(|group| group.texts).sum();
    let tokens: i64 = groups.iter().map(|group| group.texts * group.length).sum();
    let length = shared.min(shortest - 1);
    (length >= LEAST && length * (texts - 1) * PART >= tokens).then_some(length)
}

/// Lays out texts that begin with the same `length` tokens and are longer.
fn lay_out(length: i64, groups: &[Group]) -> Layout {
    let mut layout = Layout {
        chosen: (0..length).collect(),
        places: Vec::new(),
        groups: vec![Group { start: 0, texts: 1, length }],
    };
    for group in groups {
        let rest = Group { start: layout.chosen.len() as i64, length: group.length - length, ..*group };
        layout.groups.push(rest);
        for text in 0..group.texts {
            let begin = group.start + text * group.length;
            let place = layout.chosen.len() as i64;
            layout.chosen.extend(begin + length..begin + group.length);
            layout.places.extend((0..length).chain(place..place + rest.length));
        }
    }
    layout
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prefix_stands_once_and_each_text_finds_its_tokens() {
        let groups = [Group { start: 0, texts: 1, length: 5 }, Group { start: 5, texts: 2, length: 3 }];
        let layout = lay_out(2, &groups);
        assert_eq!(layout.chosen, [0, 1, 2, 3, 4, 7, 10]);
        assert_eq!(layout.places, [0, 1, 2, 3, 4, 0, 1, 5, 0, 1, 6]);
        let group = |start, texts, length| Group { start, texts, length };
        assert_eq!(layout.groups, [group(0, 1, 2), group(2, 1, 3), group(5, 2, 1)]);
    }

    #[test]
    fn a_prefix_has_eight_tokens_and_saves_an_eighth_of_the_batch() {
        let texts = |texts, length| [Group { start: 0, texts, length }];
        assert_eq!(measure(30, &texts(10, 45)), Some(30));
        assert_eq!(measure(7, &texts(10, 9)), None, "too short");
        assert_eq!([measure(8, &texts(10, 57)), measure(8, &texts(10, 58))], [Some(8), None]);
        assert_eq!(measure(30, &texts(2, 30)), Some(29), "equal texts keep their last token");
        assert_eq!(measure(0, &texts(1, 30)), None, "a single text");
        assert_eq!([measure(0, &texts(3, 0)), measure(0, &[])], [None, None]);
    }
}

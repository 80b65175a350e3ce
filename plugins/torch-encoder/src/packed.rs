//! Which texts go together, and how they are laid end to end without padding.

use tch::{Device, Kind, Tensor};

use crate::error::TorchError;
use crate::tokenizer::Tokens;

/// Token ids of several texts, longest first, end to end.
pub struct Packed {
    /// Ids of all tokens, `[tokens]`.
    pub ids: Tensor,
    /// Place of each token in its text, from 0, `[tokens]`.
    pub positions: Tensor,
    /// Whether a token belongs to the first or the second of a pair, `[tokens]`; `None` where all are 0.
    pub types: Option<Tensor>,
    /// Runs of texts of one length.
    pub groups: Vec<Group>,
    /// Tokens at the start of each text that pooling leaves out: those of a prompt.
    pub skip: i64,
    /// Tokens with which all texts begin alike; 0 for a single text.
    pub shared: i64,
}

/// Neighbouring texts of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// First token.
    pub start: i64,
    /// Number of texts.
    pub texts: i64,
    /// Tokens in each; 0 for texts without a token.
    pub length: i64,
}

impl Group {
    /// The rows of the group, taken from `[tokens, width]`, as `[texts, length, width]`.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn of(&self, rows: &Tensor) -> Result<Tensor, TorchError> {
        let width = rows.size().last().copied().unwrap_or(0);
        let rows = rows.f_narrow(0, self.start, self.texts * self.length)?;
        Ok(rows.f_view([self.texts, self.length, width])?)
    }
}

impl Packed {
    /// Packs texts that are sorted by length, longest first.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn new(texts: &[&Tokens], skip: usize, device: Device) -> Result<Self, TorchError> {
        let total = texts.iter().map(|text| text.ids.len()).sum();
        let (mut ids, mut positions) = (Vec::<i64>::with_capacity(total), Vec::<i64>::with_capacity(total));
        let mut groups: Vec<Group> = Vec::new();
        for text in texts {
            let (start, length) = (ids.len() as i64, text.ids.len() as i64);
            match groups.last_mut().filter(|group| group.length == length) {
                Some(group) => group.texts += 1,
                None => groups.push(Group { start, texts: 1, length }),
            }
            ids.extend(text.ids.iter().map(|&id| i64::from(id)));
            positions.extend(0..length);
        }
        Ok(Self {
            ids: move_to(&ids, device)?,
            positions: move_to(&positions, device)?,
            types: types(texts).map(|types| move_to(&types, device)).transpose()?,
            groups,
            skip: skip as i64,
            shared: count_shared(texts),
        })
    }

    /// Tokens in the longest text.
    pub fn longest(&self) -> i64 {
        self.groups.first().map_or(0, |group| group.length)
    }
}

/// How many tokens all texts begin with.
fn count_shared(texts: &[&Tokens]) -> i64 {
    let Some((first, rest)) = texts.split_first().filter(|(_, rest)| !rest.is_empty()) else { return 0 };
    let alike = |most: &[u32], text: &Tokens| {
        most.iter().zip(&text.ids).take_while(|(one, other)| one == other).count()
    };
    rest.iter().fold(first.ids.len(), |most, text| alike(&first.ids[..most], text)) as i64
}

fn types(texts: &[&Tokens]) -> Option<Vec<i64>> {
    if texts.iter().all(|text| text.types.is_none()) {
        return None;
    }
    let all = texts.iter().flat_map(|text| {
        let types = text.types.as_deref().unwrap_or_default();
        (0..text.ids.len()).map(|token| types.get(token).map_or(0, |&kind| i64::from(kind)))
    });
    Some(all.collect())
}

/// On a GPU the copy starts from pinned memory and does not wait for the work before it.
///
/// # Errors
/// If libtorch fails.
pub fn move_to(values: &[i64], device: Device) -> Result<Tensor, TorchError> {
    let tensor = Tensor::f_from_slice(values)?;
    if !device.is_cuda() {
        return Ok(tensor);
    }
    Ok(tensor.f_pin_memory(device)?.f_to_device_(device, Kind::Int64, true, false)?)
}

/// The numbers of the texts in batches of at most `budget` tokens, and of one text at least; longest first, so that a
/// batch has few different lengths and the last one to finish is a short one.
pub fn batches(lengths: &[usize], budget: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|&text| std::cmp::Reverse(lengths[text]));
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut tokens = usize::MAX;
    for text in order {
        // A text without tokens takes its place in the result too.
        let length = lengths[text].max(1);
        if tokens.saturating_add(length) > budget {
            batches.push(Vec::new());
            tokens = 0;
        }
        tokens += length;
        if let Some(batch) = batches.last_mut() {
            batch.push(text);
        }
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::{batches, count_shared};
    use crate::tokenizer::Tokens;

    #[test]
    fn texts_share_the_tokens_with_which_all_begin() {
        let count = |texts: &[&[u32]]| {
            let texts: Vec<Tokens> =
                texts.iter().map(|ids| Tokens { ids: ids.to_vec(), types: None }).collect();
            count_shared(&texts.iter().collect::<Vec<_>>())
        };
        assert_eq!(count(&[&[1, 2, 3, 4], &[1, 2, 5], &[1, 2, 3]]), 2);
        assert_eq!(count(&[&[1, 2, 3], &[1, 2]]), 2);
        assert_eq!(count(&[&[1, 2], &[1, 2]]), 2);
        assert_eq!([count(&[&[1, 2], &[]]), count(&[&[1, 2]]), count(&[])], [0, 0, 0]);
    }

    #[test]
    fn long_texts_come_first_and_share_a_batch_while_the_budget_lasts() {
        assert_eq!(batches(&[1, 9, 2, 9, 3], 10), [vec![1], vec![3], vec![4, 2, 0]]);
    }

    #[test]
    fn a_text_beyond_the_budget_has_a_batch_of_its_own() {
        assert_eq!(batches(&[100, 90], 10), [vec![0], vec![1]]);
        assert!(batches(&[], 10).is_empty());
    }

    #[test]
    fn texts_without_tokens_are_not_lost() {
        assert_eq!(batches(&[0, 0], 10), [vec![0, 1]]);
    }
}

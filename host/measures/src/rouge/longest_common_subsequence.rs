//! The longest common subsequence.

use super::Words;

/// The length of the longest sequence of words that both have in this order; memory grows with the shorter side.
pub(super) fn longest_common_subsequence(one: &Words, other: &Words) -> usize {
    let (long, short) = if one.len() < other.len() { (other, one) } else { (one, other) };
    let mut lengths = vec![0usize; short.len() + 1];
    for word in long.numbers() {
        let mut diagonal = 0;
        for (place, other) in short.numbers().iter().enumerate() {
            let above = lengths[place + 1];
            lengths[place + 1] = if word == other { diagonal + 1 } else { above.max(lengths[place]) };
            diagonal = above;
        }
    }
    lengths.last().copied().unwrap_or(0)
}

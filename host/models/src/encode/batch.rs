//! Packs texts into batches of similar length.

use std::ops::Range;

/// Most texts in a batch, so that progress is seen and shared memory stays small.
const MAX_TEXTS: usize = 4096;

/// The order in which to encode texts of these token counts (longest first, then as given), and the batches of
/// that order. A batch holds at most `budget` tokens, padding counted, but always at least one text.
pub fn pack(counts: &[u32], budget: usize) -> (Vec<usize>, Vec<Range<usize>>) {
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by_key(|&text| (std::cmp::Reverse(counts[text]), text));
    let mut batches = Vec::new();
    let mut start = 0;
    while start < order.len() {
        let longest = counts[order[start]].max(1) as usize;
        let size = (budget / longest).clamp(1, MAX_TEXTS).min(order.len() - start);
        batches.push(start..start + size);
        start += size;
    }
    (order, batches)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_come_first_and_share_a_batch_with_their_like() {
        let (order, batches) = pack(&[1, 9, 2, 9, 3], 10);
        assert_eq!(order, [1, 3, 4, 2, 0]);
        assert_eq!(batches, [0..1, 1..2, 2..5]);
    }

    #[test]
    fn a_text_longer_than_the_budget_has_a_batch_of_its_own() {
        let (_, batches) = pack(&[100, 90], 10);
        assert_eq!(batches, [0..1, 1..2]);
        assert!(pack(&[], 10).1.is_empty());
    }
}

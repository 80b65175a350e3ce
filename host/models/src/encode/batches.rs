//! How long texts are for the model, and the batches of similar length that follow from that.

use std::ops::Range;

use mteb_workers::plugins::ModelClient;

use super::pool::{Answers, BatchRequest};
use super::{EncodeError, Encoder};

/// Texts that one worker counts at a time, at the least, where several share the work.
const LEAST_SHARE: usize = 1024;

/// Batches of texts, longest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Batches {
    /// The numbers of the texts of each.
    pub plan: Vec<Vec<usize>>,
    /// Tokens of each, padding aside.
    pub tokens: Vec<u64>,
}

impl Batches {
    /// The batches of texts of these lengths.
    pub fn of(counts: &[u32], budget: usize) -> Self {
        let (order, batches) = pack(counts, budget);
        let tokens = |members: &[usize]| members.iter().map(|&text| u64::from(counts[text])).sum();
        let members = |batch: std::ops::Range<usize>| order[batch].to_vec();
        let plan: Vec<Vec<usize>> = batches.into_iter().map(members).collect();
        Self { tokens: plan.iter().map(|members| tokens(members)).collect(), plan }
    }

    /// Adds the batches of other texts, which are called by these `numbers`.
    pub fn extend(&mut self, others: Self, numbers: &[usize]) {
        let renumbered = |members: Vec<usize>| members.into_iter().map(|text| numbers[text]).collect();
        self.plan.extend(others.plan.into_iter().map(renumbered));
        self.tokens.extend(others.tokens);
    }
}

impl Encoder {
    /// The batches of `texts`.
    pub(super) fn batches(&mut self, texts: &[&str]) -> Result<Batches, EncodeError> {
        let counts = self.count_tokens(texts)?;
        Ok(Batches::of(&counts, self.model.pool()?.batch_tokens))
    }

    /// How many tokens each text has.
    pub(super) fn count_tokens(&mut self, texts: &[&str]) -> Result<Vec<u32>, EncodeError> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let share = texts.len().div_ceil(self.model.pool()?.size()).max(LEAST_SHARE);
        let all: Vec<usize> = (0..texts.len()).collect();
        let plan: Vec<Vec<usize>> = all.chunks(share).map(<[usize]>::to_vec).collect();
        let call_worker = |client: &mut ModelClient, _: usize, members: &[usize]| {
            let texts: Vec<&str> = members.iter().map(|&text| texts[text]).collect();
            client.count_tokens(&texts)
        };
        let request =
            BatchRequest { plan: &plan, may_split: false, is_counted: false, call_worker: &call_worker };
        let mut counts = Counts(vec![0; texts.len()]);
        self.ask(&request, &mut counts)?;
        Ok(counts.0)
    }
}

struct Counts(Vec<u32>);

impl Answers<Vec<u32>> for Counts {
    fn take(&mut self, _: usize, members: &[usize], found: Vec<u32>) -> Result<(), EncodeError> {
        members.iter().zip(found).for_each(|(&text, count)| self.0[text] = count);
        Ok(())
    }

    fn done(&mut self, _: usize) -> bool {
        true
    }
}

/// Most texts in a batch, so that progress is seen and shared memory stays small.
const MAX_TEXTS: usize = 4096;

/// The order in which to encode texts of these token counts (longest first, then as given), and the batches of
/// that order. A batch holds at most `budget` tokens, padding counted, but always at least one text.
fn pack(counts: &[u32], budget: usize) -> (Vec<usize>, Vec<Range<usize>>) {
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

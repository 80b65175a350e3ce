//! How long texts are for the model, and the batches that follow from that.

use mteb_workers::plugins::ModelClient;

use super::batch::pack;
use super::pool::{Answers, Question};
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
        let ask = |client: &mut ModelClient, _: usize, members: &[usize]| {
            let texts: Vec<&str> = members.iter().map(|&text| texts[text]).collect();
            client.count_tokens(&texts)
        };
        let question = Question { plan: &plan, may_split: false, is_counted: false, ask: &ask };
        let mut counts = Counts(vec![0; texts.len()]);
        self.ask(&question, &mut counts)?;
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

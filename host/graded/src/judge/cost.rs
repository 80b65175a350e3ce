//! What judging will cost, before it is paid.

use std::ops::AddAssign;

use super::card::{JudgeCard, JudgePrices};
use super::prompt::Prompt;
use super::question::Question;
use crate::pool::{Pool, PoolPair};

/// Tokens of a reply of three sentences.
const REPLY: u64 = 120;

const MILLION: f64 = 1e6;

/// Tokens of one call, estimated from bytes of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairTokens {
    /// The rubric and the query, which all documents of a query share.
    pub shared: u64,
    /// The document.
    pub own: u64,
    /// The reply.
    pub reply: u64,
}

/// What pairs will take, estimated from bytes of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    /// Pairs.
    pub pairs: usize,
    /// Tokens of questions.
    pub input: u64,
    /// Those of them that a cache can have: the rubric and the query of all but the first document of each query.
    pub cacheable: u64,
    /// Tokens of replies.
    pub output: u64,
}

/// The tokens that `question` will take.
pub fn pair_tokens(card: &JudgeCard, prompt: &Prompt, question: Question<'_>) -> PairTokens {
    let tokens = |bytes: usize| (bytes as f64 / card.limits.bytes_per_token).ceil() as u64;
    PairTokens {
        shared: tokens(prompt.rubric.len() + question.shared(prompt).len()),
        own: tokens(question.own(prompt).len()),
        reply: REPLY.min(u64::from(card.limits.output_tokens)),
    }
}

/// The estimate of `pairs`, which are sorted by query.
pub fn estimate(pool: &Pool, pairs: &[&PoolPair], card: &JudgeCard, prompt: &Prompt) -> Estimate {
    let mut estimate = Estimate { pairs: pairs.len(), ..Estimate::default() };
    let mut last = None;
    for pair in pairs {
        let (query, document) = pool.texts(pair);
        let tokens = pair_tokens(card, prompt, Question { query, document });
        estimate.input += tokens.shared + tokens.own;
        if last == Some(&pair.query) {
            estimate.cacheable += tokens.shared;
        }
        last = Some(&pair.query);
        estimate.output += tokens.reply;
    }
    estimate
}

impl Estimate {
    /// Cost if the provider's cache has nothing, and if it has all that it can have.
    pub fn costs(&self, prices: &JudgePrices) -> (f64, f64) {
        (self.cost(prices, 0), self.cost(prices, self.cacheable))
    }

    fn cost(&self, prices: &JudgePrices, cached: u64) -> f64 {
        let fresh = (self.input - cached) as f64 * prices.input;
        let cached = cached as f64 * prices.cached.unwrap_or(prices.input);
        (fresh + cached + self.output as f64 * prices.output) / MILLION
    }
}

impl AddAssign for Estimate {
    fn add_assign(&mut self, other: Self) {
        self.pairs += other.pairs;
        self.input += other.input;
        self.cacheable += other.cacheable;
        self.output += other.output;
    }
}

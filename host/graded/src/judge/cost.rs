//! What judging will cost, before it is paid.

use super::card::{JudgeCard, JudgePrices};
use super::prompt::Prompt;
use super::question::Question;
use crate::pool::{Pool, PoolPair};

/// Tokens of a reply of three sentences.
const REPLY: u64 = 120;

const MILLION: f64 = 1e6;

/// What pairs will take, estimated from bytes of text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Pairs.
    pub pairs: usize,
    /// Tokens of questions.
    pub input: u64,
    /// Those of them that a cache can have: the rubric and the query of all but the first document of each query.
    pub cacheable: u64,
    /// Tokens of replies.
    pub output: u64,
    /// Cost if the provider's cache has nothing.
    pub cost: f64,
    /// Cost if it has all that it can have.
    pub cached_cost: f64,
}

/// The estimate of `pairs`, which are sorted by query.
pub fn estimate(pool: &Pool, pairs: &[&PoolPair], card: &JudgeCard, prompt: &Prompt) -> Estimate {
    let mut estimate = Estimate { pairs: pairs.len(), ..Estimate::default() };
    let mut last = None;
    for pair in pairs {
        let (query, document) = pool.texts(pair);
        let question = Question { query, document };
        let tokens = |bytes: usize| (bytes as f64 / card.limits.bytes_per_token).ceil() as u64;
        let shared = tokens(prompt.rubric.len() + question.shared(prompt).len());
        estimate.input += shared + tokens(question.own(prompt).len());
        if last == Some(&pair.query) {
            estimate.cacheable += shared;
        }
        last = Some(&pair.query);
        estimate.output += REPLY.min(u64::from(card.limits.output_tokens));
    }
    estimate.cost = cost(&card.prices, &estimate, 0);
    estimate.cached_cost = cost(&card.prices, &estimate, estimate.cacheable);
    estimate
}

fn cost(prices: &JudgePrices, estimate: &Estimate, cached: u64) -> f64 {
    let fresh = (estimate.input - cached) as f64 * prices.input;
    let cached = cached as f64 * prices.cached.unwrap_or(prices.input);
    (fresh + cached + estimate.output as f64 * prices.output) / MILLION
}

//! The questions that remain, and what judging will cost, before it is paid.

use std::collections::HashMap;
use std::ops::AddAssign;

use super::card::{JudgeCard, JudgePrices};
use super::prompt::Prompt;
use super::question::Question;
use crate::pool::{Pool, PoolPair};
use crate::store::Contents;

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

/// What pairs will take.
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
    PairTokens {
        shared: bytes_of(prompt.rubric.len() + question.shared(prompt).len(), card.limits.bytes_per_token),
        own: bytes_of(question.own(prompt).len(), card.limits.bytes_per_token),
        reply: reply(card),
    }
}

fn bytes_of(bytes: usize, bytes_per_token: f64) -> u64 {
    (bytes as f64 / bytes_per_token).ceil() as u64
}

fn reply(card: &JudgeCard) -> u64 {
    REPLY.min(u64::from(card.limits.output_tokens))
}

/// What `pairs` will take, which are sorted by query; `count` gives the tokens of a text. What a provider puts around texts is not counted.
pub fn estimate(
    pool: &Pool,
    pairs: &[&PoolPair],
    card: &JudgeCard,
    prompt: &Prompt,
    count: &dyn Fn(&str) -> u64,
) -> Estimate {
    let mut estimate = Estimate { pairs: pairs.len(), ..Estimate::default() };
    let rubric = count(prompt.rubric);
    let (mut shared, mut last) = (0, None);
    // A document stands in pairs of many queries.
    let mut documents: HashMap<&str, u64> = HashMap::new();
    for pair in pairs {
        let (query, document) = pool.texts(pair);
        let question = Question { query, document };
        if last != Some(&pair.query) {
            shared = rubric + count(&question.shared(prompt));
        } else {
            estimate.cacheable += shared;
        }
        last = Some(&pair.query);
        let own = documents.entry(pair.document.as_str()).or_insert_with(|| count(&question.own(prompt)));
        estimate.input += shared + *own;
        estimate.output += reply(card);
    }
    estimate
}

/// The tokens of a text, estimated from its bytes as the card says.
pub fn tokens_by_bytes(card: &JudgeCard) -> impl Fn(&str) -> u64 + use<> {
    let bytes_per_token = card.limits.bytes_per_token;
    move |text| bytes_of(text.len(), bytes_per_token)
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

/// The pairs that are left, in the order in which they are asked.
#[derive(Clone, Debug)]
pub struct Work<'a> {
    /// Pairs to ask, by query, so that a provider's cache has the begin of most questions.
    pub open: Vec<&'a PoolPair>,
    /// Pairs that have a score.
    pub answered: usize,
    /// Pairs whose judge failed, and that are not asked again.
    pub failed: usize,
}

/// What is left of `pool`; pairs that failed only if `again`.
pub fn work<'a>(pool: &'a Pool, known: &Contents, again: bool) -> Work<'a> {
    let mut work = Work { open: Vec::new(), answered: 0, failed: 0 };
    for pair in &pool.pairs {
        match known.judgements.get(&pair.pair).map(|judgement| judgement.score().is_some()) {
            Some(true) => work.answered += 1,
            Some(false) if !again => work.failed += 1,
            _ => work.open.push(pair),
        }
    }
    work.open.sort_by(|a, b| (&a.query, &a.document).cmp(&(&b.query, &b.document)));
    work.open.dedup_by_key(|pair| pair.pair);
    work
}

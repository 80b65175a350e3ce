//! What is left to be asked.

use crate::pool::{Pool, PoolPair};
use crate::store::Contents;

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

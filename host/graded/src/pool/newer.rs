//! What a pool has that an earlier one has not.

use std::collections::HashSet;

use super::{Pool, PoolPair};
use crate::PairId;

/// The pairs of `pool` that `earlier` lacks: what is left to be judged when an embedder comes in.
pub fn added<'a>(pool: &'a Pool, earlier: &Pool) -> Vec<&'a PoolPair> {
    let known: HashSet<PairId> = earlier.pairs.iter().map(|pair| pair.pair).collect();
    pool.pairs.iter().filter(|pair| !known.contains(&pair.pair)).collect()
}

//! What a pool has that an earlier one has not.

use std::collections::HashSet;
use std::path::Path;

use super::{Pool, PoolPair};
use crate::write::write;
use crate::{GradedError, PairId};

/// The pairs of `pool` that `earlier` lacks: what is left to be judged when an embedder comes in.
pub fn added<'a>(pool: &'a Pool, earlier: &Pool) -> Vec<&'a PoolPair> {
    let known: HashSet<PairId> = earlier.pairs.iter().map(|pair| pair.pair).collect();
    pool.pairs.iter().filter(|pair| !known.contains(&pair.pair)).collect()
}

/// Writes a list of pairs: JSON lines.
///
/// # Errors
/// If it cannot be written; what was there before is then still there.
pub fn write_pairs(path: &Path, pairs: &[PoolPair]) -> Result<(), GradedError> {
    let lines: Result<Vec<String>, _> = pairs.iter().map(serde_json::to_string).collect();
    let lines = lines.map_err(|error| GradedError::file(path, "write", error.into()))?;
    let text: String = lines.into_iter().map(|line| line + "\n").collect();
    write(path, text.as_bytes())
}

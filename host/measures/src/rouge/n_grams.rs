//! Runs of words that two texts share.

use std::collections::HashMap;

use super::Words;

/// How many runs of `n` words both have, each counted as often as in the side that has it less often.
pub(super) fn shared_n_grams(one: &Words, other: &Words, n: usize) -> usize {
    let mut left: HashMap<&[u32], usize> = HashMap::new();
    for run in one.numbers().windows(n) {
        *left.entry(run).or_default() += 1;
    }
    let mut take = |run: &[u32]| match left.get_mut(run) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    };
    other.numbers().windows(n).filter(|run| take(run)).count()
}

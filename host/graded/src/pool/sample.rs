//! Draws queries, where judging all of them would cost too much.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

/// `count` of the query `ids` of `task`: those with the lowest SHA-256 of `task/id`. What is drawn depends on nothing else, so that a larger
/// sample holds the smaller one, and an embedder that comes in later changes nothing.
pub fn sample(task: &str, ids: BTreeSet<String>, count: usize) -> BTreeSet<String> {
    let mut keyed: Vec<(Vec<u8>, String)> =
        ids.into_iter().map(|id| (Sha256::digest(format!("{task}/{id}")).to_vec(), id)).collect();
    keyed.sort_unstable();
    keyed.truncate(count);
    keyed.into_iter().map(|(_, id)| id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(count: usize) -> BTreeSet<String> {
        sample("T", (0..100).map(|id| format!("q{id}")).collect(), count)
    }

    #[test]
    fn a_larger_sample_holds_the_smaller_one() {
        assert_eq!((of(10).len(), of(40).len(), of(500).len()), (10, 40, 100));
        assert!(of(10).is_subset(&of(40)));
        assert_ne!(of(10), sample("U", of(100), 10), "each task has its own");
    }

    /// Known answer: the ids with the lowest `hashlib.sha256(b"T/q…")`.
    #[test]
    fn what_is_drawn_is_that_of_an_independent_hash() {
        assert_eq!(of(3).into_iter().collect::<Vec<_>>(), KNOWN);
    }

    const KNOWN: [&str; 3] = ["q27", "q28", "q44"];
}

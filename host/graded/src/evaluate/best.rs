//! The order of a ranking.

use mteb_rankings::{Ranked, Rankings};

/// The places of the best `depth` documents of `found`, best first: by score, then id, both descending (protocol 7).
pub fn best(rankings: &Rankings, found: &[Ranked], depth: usize) -> Vec<u32> {
    let id = |ranked: &Ranked| &rankings.documents[ranked.document as usize];
    let order = |a: &Ranked, b: &Ranked| b.score.total_cmp(&a.score).then_with(|| id(b).cmp(id(a)));
    let mut sorted = found.to_vec();
    if depth < sorted.len() {
        sorted.select_nth_unstable_by(depth, order);
        sorted.truncate(depth);
    }
    sorted.sort_unstable_by(order);
    sorted.into_iter().map(|ranked| ranked.document).collect()
}

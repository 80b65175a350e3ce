//! What a system found, best first, in the numbers of a board.

use mteb_items::rankings::{Ranked, Rankings, unescape};

use super::{Board, OUTSIDE};

/// The ranking of each query, best first: numbers of documents in the pool of the query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranks {
    starts: Vec<u32>,
    documents: Vec<u32>,
}

impl Ranks {
    /// Rankings from one list a query.
    pub fn new(queries: impl IntoIterator<Item = impl AsRef<[u32]>>) -> Self {
        let mut ranks = Self { starts: vec![0], documents: Vec::new() };
        for query in queries {
            ranks.documents.extend(query.as_ref());
            ranks.starts.push(ranks.documents.len() as u32);
        }
        ranks
    }

    /// The best `depth` documents of each query of `board`; nothing for a query that `rankings` lacks.
    pub fn of(board: &Board, rankings: &Rankings, depth: usize) -> Self {
        let mut queries = vec![Vec::new(); board.len()];
        let plain = |id: &str| unescape(id).filter(|_| rankings.may_be_escaped);
        for (id, found) in rankings.queries.iter().zip(&rankings.found) {
            let number = board.query(id).or_else(|| board.query(&plain(id)?));
            let Some(number) = number else { continue };
            let place = |id: &str| match board.document(number, id) {
                OUTSIDE => plain(id).map_or(OUTSIDE, |id| board.document(number, &id)),
                place => place,
            };
            let best = best(rankings, found, depth).into_iter();
            queries[number] = best.map(|document| place(&rankings.documents[document as usize])).collect();
        }
        Self::new(queries)
    }

    /// The ranking of a query.
    pub fn query(&self, query: usize) -> &[u32] {
        &self.documents[self.starts[query] as usize..self.starts[query + 1] as usize]
    }

    /// Number of queries.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// True if there is no query.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

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

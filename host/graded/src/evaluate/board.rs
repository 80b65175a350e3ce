//! The pool in numbers.

use std::collections::HashMap;

use crate::PairId;
use crate::pool::{Pool, PoolPair};

/// The number of a document that is not in the pool of its query.
pub const OUTSIDE: u32 = u32::MAX;

/// The pairs of a pool, numbered: the documents of each query from 0, in ascending order of their ids.
#[derive(Clone, Debug)]
pub struct Board {
    queries: HashMap<String, usize>,
    /// Where the pairs of each query begin, and where the last ones end.
    starts: Vec<usize>,
    documents: Vec<String>,
    pairs: Vec<PairId>,
}

impl Board {
    /// The pairs of `pool`.
    pub fn new(pool: &Pool) -> Self {
        let mut sorted: Vec<&PoolPair> = pool.pairs.iter().collect();
        sorted.sort_by(|a, b| (&a.query, &a.document).cmp(&(&b.query, &b.document)));
        sorted.dedup_by(|a, b| a.pair == b.pair);
        let mut board = Self {
            queries: HashMap::new(),
            starts: vec![0],
            documents: Vec::with_capacity(sorted.len()),
            pairs: Vec::with_capacity(sorted.len()),
        };
        for query in sorted.chunk_by(|a, b| a.query == b.query) {
            board.queries.insert(query[0].query.clone(), board.starts.len() - 1);
            for pair in query {
                board.documents.push(pair.document.clone());
                board.pairs.push(pair.pair);
            }
            board.starts.push(board.pairs.len());
        }
        board
    }

    /// Number of queries.
    pub fn len(&self) -> usize {
        self.queries.len()
    }

    /// True if there is no query.
    pub fn is_empty(&self) -> bool {
        self.queries.is_empty()
    }

    /// The number of a query.
    pub fn query(&self, id: &str) -> Option<usize> {
        self.queries.get(id).copied()
    }

    /// The number of a document in the pool of a query, [`OUTSIDE`] if it is not there.
    pub fn document(&self, query: usize, id: &str) -> u32 {
        let documents = &self.documents[self.starts[query]..self.starts[query + 1]];
        documents.binary_search_by(|other| other.as_str().cmp(id)).map_or(OUTSIDE, |place| place as u32)
    }

    /// Where the pairs of each query begin, and where the last ones end.
    pub fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// All pairs, query by query.
    pub fn pairs(&self) -> &[PairId] {
        &self.pairs
    }
}

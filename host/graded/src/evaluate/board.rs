//! The pool in numbers, and in these what a judge said of each pair and what a system found, best
//! first.

use std::collections::HashMap;

use mteb_files::hex;
use mteb_items::rankings::{Ranked, Rankings, unescape};
use sha2::{Digest, Sha256};

use crate::PairId;
use crate::pool::{Pool, PoolPair};
use crate::store::Contents;

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

/// The scores of one judge, those of each query together.
#[derive(Clone, Debug)]
pub struct Grades {
    starts: Vec<usize>,
    values: Vec<f64>,
}

impl Grades {
    /// Scores of the pairs between `starts`, as [`Board::starts`] has them; NaN for a pair that was not judged.
    pub fn new(starts: Vec<usize>, values: Vec<f64>) -> Self {
        Self { starts, values }
    }

    /// The scores that `judgements` has of the pairs of `board`. A pair whose judge failed is not judged.
    pub fn of(board: &Board, judgements: &Contents) -> Self {
        let score = |pair| judgements.judgements.get(pair).and_then(crate::store::Judgement::score);
        let values = board.pairs().iter().map(|pair| score(pair).unwrap_or(f64::NAN)).collect();
        Self::new(board.starts().to_vec(), values)
    }

    /// The scores of the pool of a query.
    pub fn query(&self, query: usize) -> &[f64] {
        &self.values[self.starts[query]..self.starts[query + 1]]
    }

    /// Number of queries.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// True if there is no query.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The scores of all pairs; NaN where there is none.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// SHA-256 of all scores, in lowercase hex: another one where a judge says something else of the same pairs.
    pub fn hash(&self) -> String {
        let mut hasher = Sha256::new();
        self.values.iter().for_each(|value| hasher.update(value.to_le_bytes()));
        hex(&hasher.finalize())
    }

    /// Number of pairs that have a score.
    pub fn judged(&self) -> usize {
        self.values.iter().filter(|value| !value.is_nan()).count()
    }
}

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

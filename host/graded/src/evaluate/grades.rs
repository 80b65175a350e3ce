//! What a judge said of each pair of a board.

use mteb_files::hex;
use sha2::{Digest, Sha256};

use super::Board;
use crate::store::Contents;

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

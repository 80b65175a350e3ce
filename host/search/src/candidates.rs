//! Similarity of one query with given documents, for reranking.

use crate::Similarity;
use crate::product::{manhattan, sum_of};
use crate::row_sums::{normalise, prepare};

/// Documents that queries name as candidates.
#[derive(Clone, Debug)]
pub struct Candidates {
    kind: Similarity,
    rows: Vec<f32>,
    dimension: usize,
}

impl Candidates {
    /// Documents with the embeddings `rows` (row-major, `dimension` numbers per row).
    pub fn new(kind: Similarity, mut rows: Vec<f32>, dimension: usize) -> Self {
        prepare(kind, &mut rows, dimension);
        Self { kind, rows, dimension }
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.rows.len() / self.dimension.max(1)
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The similarity of `query` with each of the documents in the rows `wanted`, in order.
    ///
    /// `query` has as many numbers as a document's row.
    pub fn scores(&self, query: &[f32], wanted: &[u32]) -> Vec<f32> {
        let mut query = query.to_vec();
        if self.kind.is_of_directions() {
            normalise(&mut query);
        }
        wanted.iter().map(|&row| self.score(&query, self.row(row as usize))).collect()
    }

    fn row(&self, index: usize) -> &[f32] {
        &self.rows[index * self.dimension..(index + 1) * self.dimension]
    }

    fn score(&self, query: &[f32], document: &[f32]) -> f32 {
        match self.kind {
            Similarity::Cosine | Similarity::Dot => sum_of(query, document, |x, y| x * y),
            Similarity::Euclidean => -sum_of(query, document, |x, y| (x - y) * (x - y)).sqrt(),
            Similarity::Manhattan => -manhattan(query, document),
        }
    }
}

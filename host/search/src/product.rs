//! Similarities of a block of queries with a block of documents.

use std::ops::Range;

use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2, ShapeError};

use crate::Similarity;

/// Numbers of a row whose products the blocked product (`matrixmultiply`) sums in one go.
pub(crate) const RUN: usize = 256;

/// Rows that are scored together.
pub(crate) const ROWS: usize = 16;

/// Rows of one side with what the similarity needs to know about them.
#[derive(Clone, Copy)]
pub(crate) struct Block<'a> {
    /// Row-major, prepared for the similarity.
    pub rows: &'a [f32],
    /// Squared norms of the rows; empty unless the similarity is Euclidean.
    pub norms: &'a [f32],
    /// Numbers a row.
    pub dimension: usize,
}

impl<'a> Block<'a> {
    pub(crate) fn len(&self) -> usize {
        self.rows.len() / self.dimension.max(1)
    }

    pub(crate) fn row(&self, index: usize) -> &'a [f32] {
        &self.rows[index * self.dimension..(index + 1) * self.dimension]
    }

    /// The rows of `range`.
    pub(crate) fn range(&self, range: Range<usize>) -> Self {
        let dimension = self.dimension;
        let norms = if self.norms.is_empty() { self.norms } else { &self.norms[range.clone()] };
        Self { rows: &self.rows[range.start * dimension..range.end * dimension], norms, dimension }
    }
}

/// Writes the similarity of query i with document j to `scores[i · documents + j]`.
///
/// A score does not depend on the rows beside it: every sum runs over the dimension in one fixed order.
pub(crate) fn fill(
    kind: Similarity,
    queries: Block<'_>,
    documents: Block<'_>,
    scores: &mut [f32],
) -> Result<(), ShapeError> {
    match kind {
        Similarity::Cosine | Similarity::Dot => multiply(1.0, queries, documents, scores),
        Similarity::Euclidean => {
            multiply(-2.0, queries, documents, scores)?;
            for (row, query) in scores.chunks_exact_mut(documents.len()).zip(queries.norms) {
                for (score, document) in row.iter_mut().zip(documents.norms) {
                    *score = -((*score + query) + document).max(0.0).sqrt();
                }
            }
            Ok(())
        }
        Similarity::Manhattan => {
            let dimension = queries.dimension;
            for (row, query) in
                scores.chunks_exact_mut(documents.len()).zip(queries.rows.chunks_exact(dimension))
            {
                for (score, document) in row.iter_mut().zip(documents.rows.chunks_exact(dimension)) {
                    *score = -manhattan(query, document);
                }
            }
            Ok(())
        }
    }
}

/// Σ|x − y| in sixteen running sums, which the compiler keeps in vector registers.
pub(crate) fn manhattan(query: &[f32], document: &[f32]) -> f32 {
    sum_of(query, document, |x, y| (x - y).abs())
}

/// Σ term(x, y) in sixteen running sums.
pub(crate) fn sum_of(left: &[f32], right: &[f32], term: impl Fn(f32, f32) -> f32) -> f32 {
    const LANES: usize = 16;
    let ((left, left_tail), (right, right_tail)) = (left.as_chunks::<LANES>(), right.as_chunks::<LANES>());
    let mut sums = [0.0f32; LANES];
    for (x, y) in left.iter().zip(right) {
        for ((sum, &x), &y) in sums.iter_mut().zip(x).zip(y) {
            *sum += term(x, y);
        }
    }
    for ((sum, &x), &y) in sums.iter_mut().zip(left_tail).zip(right_tail) {
        *sum += term(x, y);
    }
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            sums[lane] += sums[lane + width];
        }
        width /= 2;
    }
    sums[0]
}

fn multiply(
    factor: f32,
    queries: Block<'_>,
    documents: Block<'_>,
    scores: &mut [f32],
) -> Result<(), ShapeError> {
    let left = ArrayView2::from_shape((queries.len(), queries.dimension), queries.rows)?;
    let right = ArrayView2::from_shape((documents.len(), documents.dimension), documents.rows)?;
    let mut product = ArrayViewMut2::from_shape((queries.len(), documents.len()), scores)?;
    general_mat_mul(factor, &left, &right.t(), 0.0, &mut product);
    Ok(())
}

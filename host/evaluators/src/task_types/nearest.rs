//! The most similar row of one matrix for every row of another.

use mteb_search::{Similarity, pairs};
use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2};
use rayon::prelude::*;

use crate::Matrix;

/// Queries that are compared together.
const QUERY_BLOCK: usize = 128;

/// Corpus rows that are compared together: the scores of a block stay in the cache.
const CORPUS_BLOCK: usize = 512;

/// Scores whose maxima are taken side by side.
const LANES: usize = 16;

/// Smallest divisor of torch's `normalize`.
const NORM_FLOOR: f32 = 1e-12;

/// For every row of `queries` the index of the most similar row of `corpus`, the first of several equal ones.
///
/// Both must have the same dimension, and `corpus` at least one row.
pub(super) fn nearest(kind: Similarity, queries: &Matrix, corpus: &Matrix) -> Vec<usize> {
    match kind {
        Similarity::Dot => by_product(queries, corpus),
        Similarity::Cosine => by_product(&normalized(queries), &normalized(corpus)),
        Similarity::Euclidean | Similarity::Manhattan => by_distance(kind, queries, corpus),
    }
}

/// The best row found so far.
#[derive(Clone, Copy)]
struct Best {
    score: f32,
    index: usize,
}

impl Best {
    const NONE: Self = Self { score: f32::NEG_INFINITY, index: 0 };

    /// Takes over the first largest of `scores`, the first of which belongs to row `start`, if it is better.
    fn update(&mut self, scores: &[f32], start: usize) {
        let largest = maximum(scores);
        if largest > self.score {
            let offset = scores.iter().position(|score| *score == largest).unwrap_or(0);
            *self = Self { score: largest, index: start + offset };
        }
    }
}

fn by_product(queries: &Matrix, corpus: &Matrix) -> Vec<usize> {
    let dimension = queries.dimension;
    queries
        .values
        .par_chunks(QUERY_BLOCK * dimension)
        .flat_map_iter(|block| {
            let rows = block.len() / dimension;
            let mut best = vec![Best::NONE; rows];
            let mut scores = vec![0.0; rows * CORPUS_BLOCK];
            for (number, documents) in corpus.values.chunks(CORPUS_BLOCK * dimension).enumerate() {
                let width = documents.len() / dimension;
                multiply(block, documents, dimension, &mut scores[..rows * width]);
                for (best, row) in best.iter_mut().zip(scores.chunks_exact(width)) {
                    best.update(row, number * CORPUS_BLOCK);
                }
            }
            best.into_iter().map(|best| best.index)
        })
        .collect()
}

/// Inner products of every row of `left` with every row of `right`, row after row.
fn multiply(left: &[f32], right: &[f32], dimension: usize, products: &mut [f32]) {
    let shape = (left.len() / dimension, right.len() / dimension);
    let views = (
        ArrayView2::from_shape((shape.0, dimension), left),
        ArrayView2::from_shape((shape.1, dimension), right),
        ArrayViewMut2::from_shape(shape, products),
    );
    if let (Ok(left), Ok(right), Ok(mut products)) = views {
        general_mat_mul(1.0, &left, &right.t(), 0.0, &mut products);
    }
}

fn by_distance(kind: Similarity, queries: &Matrix, corpus: &Matrix) -> Vec<usize> {
    (0..queries.rows())
        .into_par_iter()
        .map(|row| {
            let repeated = queries.row(row).repeat(CORPUS_BLOCK.min(corpus.rows()));
            let mut best = Best::NONE;
            for (number, documents) in corpus.values.chunks(CORPUS_BLOCK * corpus.dimension).enumerate() {
                let scores =
                    pairs::similarity(kind, &repeated[..documents.len()], documents, corpus.dimension);
                best.update(&scores, number * CORPUS_BLOCK);
            }
            best.index
        })
        .collect()
}

/// Rows divided by their Euclidean length.
fn normalized(matrix: &Matrix) -> Matrix {
    let mut values = matrix.values.clone();
    values.par_chunks_exact_mut(matrix.dimension).for_each(|row| {
        let length = row.iter().map(|value| value * value).sum::<f32>().sqrt().max(NORM_FLOOR);
        row.iter_mut().for_each(|value| *value /= length);
    });
    Matrix::new(values, matrix.dimension)
}

/// The largest of `scores`, taken lane by lane so that it vectorises.
fn maximum(scores: &[f32]) -> f32 {
    let larger = |best: f32, score: f32| if score > best { score } else { best };
    let (blocks, rest) = scores.as_chunks::<LANES>();
    let mut lanes = [f32::NEG_INFINITY; LANES];
    for block in blocks {
        for (lane, &score) in lanes.iter_mut().zip(block) {
            *lane = larger(*lane, score);
        }
    }
    lanes.iter().chain(rest).fold(f32::NEG_INFINITY, |best, &score| larger(best, score))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [Similarity; 4] =
        [Similarity::Cosine, Similarity::Dot, Similarity::Euclidean, Similarity::Manhattan];

    /// `count` unit vectors, one a degree apart.
    fn circle(count: usize) -> Matrix {
        let point =
            |degrees: usize| [(degrees as f32).to_radians().cos(), (degrees as f32).to_radians().sin()];
        Matrix::new((0..count).flat_map(point).collect(), 2)
    }

    #[test]
    fn every_point_is_nearest_to_itself() {
        let points = circle(180);
        for kind in KINDS {
            assert_eq!(nearest(kind, &points, &points), (0..180).collect::<Vec<_>>(), "{kind:?}");
        }
    }

    #[test]
    fn the_first_of_equal_rows_wins_within_and_across_blocks() {
        let points = circle(90);
        let copies = 3 * CORPUS_BLOCK / 90 + 1;
        let corpus = Matrix::new(points.values.repeat(copies), 2);
        for kind in KINDS {
            assert_eq!(nearest(kind, &points, &corpus), (0..90).collect::<Vec<_>>(), "{kind:?}");
        }
    }

    #[test]
    fn length_matters_to_the_inner_product_alone() {
        let query = Matrix::new(vec![1.0, 0.0], 2);
        let corpus = Matrix::new(vec![2.0, 0.1, 9.0, 9.0], 2);
        assert_eq!(nearest(Similarity::Cosine, &query, &corpus), [0]);
        assert_eq!(nearest(Similarity::Dot, &query, &corpus), [1]);
    }

    #[test]
    fn a_zero_row_is_found_first_when_nothing_is_nearer() {
        let query = Matrix::new(vec![0.0, 0.0], 2);
        assert_eq!(nearest(Similarity::Cosine, &query, &circle(3)), [0]);
    }

    #[test]
    fn no_queries_find_nothing() {
        assert!(nearest(Similarity::Cosine, &Matrix::new(Vec::new(), 2), &circle(3)).is_empty());
    }
}

//! Similarity and distance of paired rows: row i of one matrix with row i of the other.
//!
//! Every function takes two row-major matrices of the same shape and the numbers per row (`dimension`), and gives one
//! number a row. The numbers equal those of the library named, bit for bit, on x86-64 (protocol 5).

use mteb_measures::numeric;
use rayon::prelude::*;

use crate::Similarity;
use crate::row_sums::{NORM_FLOOR, einsum_squares, torch_norm, torch_sum};

/// Norms below this count as zero in scikit-learn's `normalize`.
const TINY_NORM: f32 = 10.0 * f32::EPSILON;

/// The model's own similarity of each pair, as `similarity_pairwise` of sentence-transformers gives it.
pub fn similarity(kind: Similarity, left: &[f32], right: &[f32], dimension: usize) -> Vec<f32> {
    match kind {
        Similarity::Cosine => cosine(left, right, dimension),
        Similarity::Dot => map(left, right, dimension, |a, b, terms| {
            fill(terms, a, b, |x, y| x * y);
            torch_sum(terms)
        }),
        Similarity::Euclidean => map(left, right, dimension, |a, b, terms| {
            fill(terms, a, b, |x, y| x - y);
            -torch_norm(terms)
        }),
        Similarity::Manhattan => map(left, right, dimension, |a, b, terms| {
            fill(terms, a, b, |x, y| (x - y).abs());
            -torch_sum(terms)
        }),
    }
}

/// Cosine of each pair, as torch computes it: rows divided by their norm, multiplied and summed.
pub fn cosine(left: &[f32], right: &[f32], dimension: usize) -> Vec<f32> {
    map(left, right, dimension, |a, b, terms| {
        let (a_norm, b_norm) = (torch_norm(a).max(NORM_FLOOR), torch_norm(b).max(NORM_FLOOR));
        fill(terms, a, b, |x, y| (x / a_norm) * (y / b_norm));
        torch_sum(terms)
    })
}

/// Inner product of each pair, as `numpy.dot` gives it.
pub fn dot(left: &[f32], right: &[f32], dimension: usize) -> Vec<f32> {
    map(left, right, dimension, |a, b, _| numeric::dot(a, b))
}

/// scikit-learn's `paired_cosine_distances`: ½·‖x/‖x‖ − y/‖y‖‖², not 1 − x·y.
///
/// The reported cosine score is 1 minus this. Two equal rows give exactly 0.
pub fn paired_cosine_distance(left: &[f32], right: &[f32], dimension: usize) -> Vec<f32> {
    map(left, right, dimension, |a, b, terms| {
        let (a_norm, b_norm) = (sklearn_norm(a), sklearn_norm(b));
        fill(terms, a, b, |x, y| x / a_norm - y / b_norm);
        0.5 * einsum_squares(terms)
    })
}

/// scikit-learn's `paired_euclidean_distances`.
pub fn euclidean(left: &[f32], right: &[f32], dimension: usize) -> Vec<f32> {
    map(left, right, dimension, |a, b, terms| {
        fill(terms, a, b, |x, y| x - y);
        einsum_squares(terms).sqrt()
    })
}

/// scikit-learn's `paired_manhattan_distances`.
pub fn manhattan(left: &[f32], right: &[f32], dimension: usize) -> Vec<f32> {
    map(left, right, dimension, |a, b, terms| {
        fill(terms, a, b, |x, y| (x - y).abs());
        numeric::sum(terms)
    })
}

/// Applies `measure(left row, right row, scratch of one row)` to each pair, in parallel.
fn map<F>(left: &[f32], right: &[f32], dimension: usize, measure: F) -> Vec<f32>
where
    F: Fn(&[f32], &[f32], &mut [f32]) -> f32 + Sync + Send,
{
    assert_eq!(left.len(), right.len(), "both sides of a pair column have the same shape");
    if dimension == 0 {
        return Vec::new();
    }
    left.par_chunks_exact(dimension)
        .zip(right.par_chunks_exact(dimension))
        .map_init(|| vec![0.0; dimension], |terms, (a, b)| measure(a, b, terms))
        .collect()
}

fn fill(terms: &mut [f32], left: &[f32], right: &[f32], term: impl Fn(f32, f32) -> f32) {
    for ((slot, &x), &y) in terms.iter_mut().zip(left).zip(right) {
        *slot = term(x, y);
    }
}

fn sklearn_norm(row: &[f32]) -> f32 {
    let norm = einsum_squares(row).sqrt();
    if norm < TINY_NORM { 1.0 } else { norm }
}

#[cfg(test)]
mod tests;

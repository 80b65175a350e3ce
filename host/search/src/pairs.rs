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
mod tests {
    //! Pair similarities beside torch, numpy and scikit-learn (fixtures from `tests/golden/numeric/make_pairs.py`).

    use serde_json::Value;

    use super::*;

    const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/numeric/pairs.json");

    fn golden() -> Vec<Value> {
        let text = std::fs::read_to_string(GOLDEN).expect("fixture is part of the project");
        serde_json::from_str(&text).expect("fixture is a list")
    }

    /// Numbers in steps of 2⁻¹⁶ from a linear congruential generator: the same as the fixture's script makes.
    fn matrix(seed: u64, count: usize) -> Vec<f32> {
        let mut state = seed;
        (0..count)
            .map(|_| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                ((state >> 40) as f32 - 8388608.0) / 65536.0
            })
            .collect()
    }

    /// Both sides of a case; row 1 is equal on both sides, row 2 is zero on the left and row 3 is tiny.
    fn sides(case: &Value) -> (Vec<f32>, Vec<f32>, usize) {
        let (rows, dimension) =
            (case["rows"].as_u64().unwrap() as usize, case["dimension"].as_u64().unwrap() as usize);
        let seed = case["seed"].as_u64().unwrap();
        let (mut left, right) = (matrix(seed, rows * dimension), matrix(seed + 1000, rows * dimension));
        left[dimension..2 * dimension].copy_from_slice(&right[dimension..2 * dimension]);
        left[2 * dimension..3 * dimension].fill(0.0);
        left[3 * dimension..4 * dimension].iter_mut().for_each(|value| *value *= 2f32.powi(-32));
        (left, right, dimension)
    }

    fn bits(case: &Value, name: &str) -> Vec<u32> {
        let text = case[name].as_str().unwrap();
        (0..text.len() / 8).map(|row| u32::from_str_radix(&text[8 * row..8 * row + 8], 16).unwrap()).collect()
    }

    #[test]
    fn every_pair_function_equals_the_reference_bit_for_bit() {
        type PairFunction = fn(&[f32], &[f32], usize) -> Vec<f32>;
        let functions: [(&str, PairFunction); 8] = [
            ("cosine", cosine),
            ("dot", |a, b, d| similarity(Similarity::Dot, a, b, d)),
            ("paired_cosine_distance", paired_cosine_distance),
            ("euclidean", euclidean),
            ("manhattan", manhattan),
            ("cosine", |a, b, d| similarity(Similarity::Cosine, a, b, d)),
            ("euclidean_similarity", |a, b, d| similarity(Similarity::Euclidean, a, b, d)),
            ("manhattan_similarity", |a, b, d| similarity(Similarity::Manhattan, a, b, d)),
        ];
        for case in golden() {
            let (left, right, dimension) = sides(&case);
            for (name, function) in functions {
                let found: Vec<u32> =
                    function(&left, &right, dimension).iter().map(|score| score.to_bits()).collect();
                assert_eq!(found, bits(&case, name), "{name} at dimension {dimension}");
            }
        }
    }

    #[test]
    fn equal_rows_are_at_distance_zero() {
        let rows = matrix(7, 3 * 384);
        assert_eq!(paired_cosine_distance(&rows, &rows, 384), [0.0; 3]);
        assert_eq!(euclidean(&rows, &rows, 384), [0.0; 3]);
        assert_eq!(manhattan(&rows, &rows, 384), [0.0; 3]);
    }

    #[test]
    fn no_rows_give_no_scores() {
        assert!(cosine(&[], &[], 384).is_empty());
        assert!(cosine(&[], &[], 0).is_empty());
    }
}

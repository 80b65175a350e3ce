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

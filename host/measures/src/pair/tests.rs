//! Pair-classification scores beside mteb (fixture from `tests/golden/pair/make.py`).

use proptest::prelude::*;
use serde_json::Value;

use super::*;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/pair/pair.json");

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().filter_map(Value::as_f64).collect()
}

fn listed(scores: PairScores) -> [f64; 5] {
    [scores.accuracy, scores.f1, scores.precision, scores.recall, scores.average_precision]
}

#[test]
fn scores_equal_mteb_bit_for_bit() {
    let text = std::fs::read_to_string(GOLDEN).expect("fixture is part of the project");
    let cases: Vec<Value> = serde_json::from_str(&text).expect("fixture is JSON");
    for (index, case) in cases.iter().enumerate() {
        let scores = numbers(&case["scores"]);
        let labels: Vec<bool> = numbers(&case["labels"]).iter().map(|&label| label == 1.0).collect();
        let negated: Vec<f64> = scores.iter().map(|score| -score).collect();
        assert_eq!(listed(pair_scores(&scores, &labels))[..], numbers(&case["similarity"]), "case {index}");
        assert_eq!(listed(pair_scores(&negated, &labels))[..], numbers(&case["distance"]), "case {index}");
    }
}

#[test]
fn a_perfect_score_reaches_one_everywhere() {
    let scores = pair_scores(&[0.9, 0.8, 0.3, 0.1], &[true, true, false, false]);
    assert_eq!(listed(scores), [1.0; 5]);
}

#[test]
fn a_score_that_ties_everywhere_has_no_threshold() {
    let scores = pair_scores(&[0.5; 4], &[true, true, true, false]);
    assert_eq!(listed(scores), [0.0, 0.0, 0.0, 0.0, 0.75]);
}

#[test]
fn accepting_every_pair_is_never_tried() {
    let scores = pair_scores(&[0.9, 0.1], &[true, true]);
    assert_eq!(listed(scores), [0.5, 2.0 / 3.0, 1.0, 0.5, 1.0]);
}

#[test]
fn no_pairs_score_zero() {
    assert_eq!(listed(pair_scores(&[], &[])), [0.0; 5]);
    assert_eq!(average_precision(&[], &[]), 0.0);
}

proptest! {
    #[test]
    fn row_order_changes_nothing(rows in prop::collection::vec((-4i32..4, any::<bool>()), 1..60)) {
        let forward: (Vec<f64>, Vec<bool>) = rows.iter().map(|&(score, label)| (f64::from(score), label)).unzip();
        let backward: (Vec<f64>, Vec<bool>) =
            rows.iter().rev().map(|&(score, label)| (f64::from(score), label)).unzip();
        prop_assert_eq!(pair_scores(&forward.0, &forward.1), pair_scores(&backward.0, &backward.1));
    }

    #[test]
    fn scores_are_shares(rows in prop::collection::vec((-1e3..1e3, any::<bool>()), 1..60)) {
        let (scores, labels): (Vec<f64>, Vec<bool>) = rows.into_iter().unzip();
        for score in listed(pair_scores(&scores, &labels)) {
            prop_assert!((0.0..=1.0 + 1e-12).contains(&score));
        }
    }
}

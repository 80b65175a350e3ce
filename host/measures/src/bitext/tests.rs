//! Bitext scores beside mteb (fixture from `tests/golden/bitext/make.py`).

use proptest::prelude::*;
use serde_json::Value;

use super::*;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/bitext/bitext.json");

fn indices(value: &Value) -> Vec<usize> {
    value.as_array().expect("a list").iter().filter_map(Value::as_u64).map(|index| index as usize).collect()
}

#[test]
fn scores_equal_mteb_bit_for_bit() {
    let text = std::fs::read_to_string(GOLDEN).expect("fixture is part of the project");
    let cases: Vec<Value> = serde_json::from_str(&text).expect("fixture is JSON");
    for (number, case) in cases.iter().enumerate() {
        let found = bitext_scores(&indices(&case["expected"]), &indices(&case["found"]));
        let expected: Vec<f64> =
            case["scores"].as_array().expect("a list").iter().filter_map(Value::as_f64).collect();
        assert_eq!([found.precision, found.recall, found.f1, found.accuracy][..], expected, "case {number}");
    }
}

#[test]
fn a_hub_costs_precision() {
    let scores = bitext_scores(&[0, 1, 2, 3], &[0, 0, 2, 3]);
    assert_eq!(scores.accuracy, 0.75);
    assert_eq!(scores.precision, (0.5 + 0.0 + 1.0 + 1.0) / 4.0);
    assert_eq!(scores.f1, (2.0 / 3.0 + 0.0 + 1.0 + 1.0) / 4.0);
}

#[test]
fn nothing_to_find_has_no_score() {
    assert!(bitext_scores(&[], &[]).f1.is_nan());
}

proptest! {
    #[test]
    fn recall_is_accuracy_when_each_sentence_is_sought_once(found in prop::collection::vec(0usize..30, 30)) {
        let expected: Vec<usize> = (0..30).collect();
        let scores = bitext_scores(&expected, &found);
        prop_assert!((scores.recall - scores.accuracy).abs() < 1e-12);
        prop_assert!(scores.precision <= scores.accuracy + 1e-12);
    }
}

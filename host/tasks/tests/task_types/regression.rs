//! Regression on small given embeddings beside whole results of mteb (fixture from
//! `tests/golden/regress/tasks.py`), and what is said about data that does not fit.

use std::collections::BTreeMap;

use crate::given_session::{GivenSession, score_parts, table};
use mteb_data::Table;
use mteb_tasks::{Part, Protocol, Score, Scores, Similarity};
use serde_json::{Value, json};

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/regress/tasks.json");

/// Scores are computed in 32 bits from fits in 32 bits; years need four digits of them.
const TOLERANCE: f64 = 1e-5;

/// The embedding of `t7`, of seven, as the fixture has it.
fn embed(text: &str) -> Vec<f32> {
    let number: u32 = text[1..].parse().expect("a number behind the letter");
    [31, 57, 71, 83].map(|factor| (number * factor % 97) as f32).to_vec()
}

fn parts(splits: &Value) -> BTreeMap<Part, Table> {
    [(Part::Train, "train"), (Part::Rows, "test")]
        .into_iter()
        .map(|(part, split)| (part, table(&format!("{split}.jsonl"), &splits[split])))
        .collect()
}

fn scored(options: &Protocol, splits: &Value, session: &mut GivenSession<'_>) -> Result<Scores, String> {
    score_parts("Regression", options, parts(splits), session).map_err(|error| error.to_string())
}

fn assert_near(found: &Scores, expected: &Value, place: &str) {
    let expected = expected.as_array().expect("a list");
    assert_eq!(found.0.len(), expected.len(), "{place}");
    for ((key, found), expected) in found.0.iter().zip(expected) {
        assert_eq!(json!(key), expected[0], "{place}");
        match found {
            Score::List(experiments) => {
                let expected = expected[1].as_array().expect("a list");
                assert_eq!(experiments.len(), expected.len(), "{place}");
                for (number, (found, expected)) in experiments.iter().zip(expected).enumerate() {
                    let Score::Map(found) = found else { panic!("no experiment: {found:?}") };
                    assert_near(found, expected, &format!("{place}, experiment {number}"));
                }
            }
            Score::Number(found) | Score::Numpy(found) if found.is_nan() => {
                assert_eq!(json!("NaN"), expected[1], "{place}, {key}")
            }
            Score::Number(found) | Score::Numpy(found) => {
                let expected = expected[1].as_f64().expect("a number");
                assert!(
                    (found - expected).abs() < TOLERANCE,
                    "{place}, {key}: expected {expected}, found {found}"
                );
            }
            other => panic!("{place}, {key}: {other:?}"),
        }
    }
}

#[test]
fn scores_keys_and_phases_equal_mteb() {
    let text = std::fs::read_to_string(GOLDEN).expect("fixture is part of the project");
    let cases: Vec<Value> = serde_json::from_str(&text).expect("fixture is JSON");
    for case in &cases {
        let name = case["name"].as_str().expect("a name");
        let options: Protocol = serde_json::from_value(case["options"].clone()).expect("options");
        let mut session = GivenSession::new(&embed, Similarity::Cosine);
        let scores = scored(&options, &case["splits"], &mut session).expect("the case can be scored");
        assert_near(&scores, &case["scores"], name);
        assert_eq!(json!(session.phases), case["phases"], "{name}");
    }
}

#[test]
fn values_without_an_order_are_told_of() {
    let splits = json!({"train": {"text": ["t1", "t2"], "value": [1, 2]}, "test": {"text": ["t3", "t4"], "value": [5, 5]}});
    let mut session = GivenSession::new(&embed, Similarity::Cosine);
    scored(&Protocol::default(), &splits, &mut session).expect("the case can be scored");
    assert_eq!(session.warnings, ["kendalltau is undefined: all values to predict are equal"]);
}

#[test]
fn what_is_no_number_and_splits_without_rows_are_named() {
    let fault = |train: Value, test: Value| {
        let mut session = GivenSession::new(&embed, Similarity::Cosine);
        scored(&Protocol::default(), &json!({"train": train, "test": test}), &mut session)
            .expect_err("a fault")
    };
    let rows = || json!({"text": ["t1", "t2"], "value": [1, 2]});
    let found = fault(rows(), json!({"text": ["t1"], "value": ["many"]}));
    assert!(found.contains("column `value`: expected a number, found a string: \"many\""), "{found}");
    assert_eq!(
        fault(json!({"text": [], "value": []}), rows()),
        "train.jsonl: expected at least one row to train on, found none"
    );
}

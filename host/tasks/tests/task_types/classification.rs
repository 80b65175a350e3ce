//! Classification on small given embeddings beside whole results of mteb (fixture from
//! `tests/golden/classify/tasks.py`), and what is said about data that does not fit.

use std::collections::BTreeMap;

use crate::given_session::{GivenSession, score_parts, table};
use mteb_data::Table;
use mteb_tasks::{Part, Protocol, Score, Scores, Similarity};
use serde_json::{Value, json};

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/classify/tasks.json");

fn parts(splits: &Value) -> BTreeMap<Part, Table> {
    [(Part::Train, "train"), (Part::Rows, "test")]
        .into_iter()
        .filter_map(|(part, split)| Some((part, table(&format!("{split}.jsonl"), splits.get(split)?))))
        .collect()
}

/// Both in the form of the fixture: `[key, value]` pairs in order.
fn listed(scores: &Scores) -> Value {
    let value = |score: &Score| match score {
        Score::Number(number) if number.is_nan() => json!("NaN"),
        Score::Number(number) => json!(number),
        Score::List(experiments) => {
            let experiments = experiments.iter().map(|experiment| match experiment {
                Score::Map(scores) => listed(scores),
                other => panic!("no experiment: {other:?}"),
            });
            Value::Array(experiments.collect())
        }
        _ => Value::Null,
    };
    Value::Array(scores.0.iter().map(|(key, score)| json!([key, value(score)])).collect())
}

fn assert_equal(found: &Value, expected: &Value, what: &str) {
    match (found, expected) {
        (Value::Array(found), Value::Array(expected)) => {
            assert_eq!(found.len(), expected.len(), "{what}");
            for (found, expected) in found.iter().zip(expected) {
                assert_equal(found, expected, what);
            }
        }
        (Value::Number(left), Value::Number(right)) => {
            let difference = (left.as_f64().expect("a number") - right.as_f64().expect("a number")).abs();
            assert!(difference < 1e-12, "{what}: expected {expected}, found {found}");
        }
        _ => assert_eq!(found, expected, "{what}"),
    }
}

#[test]
fn scores_keys_and_phases_equal_mteb() {
    let text = std::fs::read_to_string(GOLDEN).expect("fixture is part of the project");
    let cases: Vec<Value> = serde_json::from_str(&text).expect("fixture is JSON");
    for case in &cases {
        let embed = |text: &str| -> Vec<f32> {
            let numbers = case["embeddings"][text].as_array().expect("every text has an embedding");
            numbers.iter().filter_map(Value::as_f64).map(|number| number as f32).collect()
        };
        let name = case["name"].as_str().expect("a name");
        let options: Protocol = serde_json::from_value(case["options"].clone()).expect("options");
        let mut session = GivenSession::new(&embed, Similarity::Cosine);
        let scores = score_parts("Classification", &options, parts(&case["splits"]), &mut session);
        assert_equal(&listed(&scores.expect("the case can be scored")), &case["scores"], name);
        assert_eq!(json!(session.phases), case["phases"], "{name}");
    }
}

/// The number of letters and the number of the first letter.
fn embed(text: &str) -> Vec<f32> {
    vec![text.len() as f32, text.bytes().next().map_or(0.0, f32::from)]
}

fn message(options: &Protocol, splits: &Value) -> String {
    let mut session = GivenSession::new(&embed, Similarity::Cosine);
    let error = score_parts("Classification", options, parts(splits), &mut session);
    error.expect_err("the data must be refused").to_string()
}

fn rows(labels: &Value) -> Value {
    let texts: Vec<&str> = ["a", "bb", "ccc", "dddd"][..labels.as_array().expect("a list").len()].to_vec();
    json!({"text": texts, "label": labels})
}

#[test]
fn labels_are_of_one_kind() {
    let splits = json!({"train": rows(&json!([0, 1])), "test": rows(&json!(["0", "1"]))});
    assert_eq!(
        message(&Protocol::default(), &splits),
        "test.jsonl, row 1, column `label`: expected a whole number like the labels before it, found a string: \
         \"0\"; 1 more row is invalid: row 2"
    );
}

#[test]
fn no_label_is_missing() {
    let splits = json!({"train": rows(&json!(["a", "b"])), "test": rows(&json!(["a", null]))});
    assert_eq!(
        message(&Protocol::default(), &splits),
        "test.jsonl, row 2, column `label`: expected a label: a text, a whole number or a boolean, found null"
    );
}

#[test]
fn there_is_something_to_tell_apart() {
    let splits = json!({"train": rows(&json!([3, 3])), "test": rows(&json!([3, 4, 5]))});
    assert_eq!(
        message(&Protocol::default(), &splits),
        "train.jsonl, column `label`: expected training rows of at least 2 labels, found 2 rows of one label"
    );
    let splits = json!({"train": rows(&json!([3])), "test": rows(&json!([3, 4]))});
    assert!(
        message(&Protocol::default(), &splits).ends_with("of at least 2 labels, found 1 row of one label")
    );
}

#[test]
fn one_of_two_labels_is_positive() {
    let splits = json!({"train": rows(&json!(["no", "yes"])), "test": rows(&json!(["yes", "no"]))});
    assert_eq!(
        message(&Protocol::default(), &splits),
        "test.jsonl, column `label`: expected one of two labels to be the number 1 or the boolean true, the \
         positive class of average precision, found: no and yes; map them to 0 and 1 with `label_map`"
    );
}

#[test]
fn a_training_split_is_needed() {
    let splits = json!({"test": rows(&json!([0, 1]))});
    assert_eq!(
        message(&Protocol::default(), &splits),
        "Task, split test, subset default: no part `train`; there is rows"
    );
}

#[test]
fn there_are_rows_to_predict() {
    let splits = json!({"train": rows(&json!([0, 1])), "test": rows(&json!([]))});
    assert_eq!(
        message(&Protocol::default(), &splits),
        "test.jsonl: expected at least one row to predict, found none"
    );
}

#[test]
fn options_must_leave_something_to_do() {
    let splits = json!({"train": rows(&json!([0, 1])), "test": rows(&json!([0, 1]))});
    let options = Protocol { samples_per_label: Some(0), ..Protocol::default() };
    assert_eq!(message(&options, &splits), "option `samples_per_label`: expected at least 1, found: 0");
    let options = Protocol { cross_validation: Some(3), ..Protocol::default() };
    assert_eq!(message(&options, &splits), "test.jsonl: expected 2 folds (one row a fold or more), found: 3");
}

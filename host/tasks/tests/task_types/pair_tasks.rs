//! STS, pair classification, bitext mining and summarization on small given embeddings, beside
//! whole results of mteb (fixture from `tests/golden/pair/tasks.py`), and what is said about data
//! that does not fit.

use crate::given_session::{GivenSession, score, table};
use mteb_tasks::{Protocol, Scores, Similarity};
use serde_json::{Value, json};

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/pair/tasks.json");

fn similarity(name: &Value) -> Similarity {
    match name.as_str() {
        Some("cosine") => Similarity::Cosine,
        Some("dot") => Similarity::Dot,
        Some("euclidean") => Similarity::Euclidean,
        other => panic!("no similarity {other:?}"),
    }
}

fn assert_equal(found: &Scores, case: &Value) {
    let expected = case["scores"].as_array().expect("a list");
    let keys = |scores: &Scores| scores.0.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>();
    let expected_keys: Vec<&str> = expected.iter().filter_map(|entry| entry[0].as_str()).collect();
    assert_eq!(keys(found), expected_keys, "{}: keys in order", case["name"]);
    for entry in expected {
        let key = entry[0].as_str().expect("a key");
        let (found, expected) = (found.number(key).expect("a number"), entry[1].as_f64());
        let same = match expected {
            None => found.is_nan(),
            Some(expected) => (found - expected).abs() < 5e-7,
        };
        assert!(same, "{}, {key}: expected {expected:?}, found {found}", case["name"]);
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
        let options: Protocol = serde_json::from_value(case["options"].clone()).expect("options");
        let mut session = GivenSession::new(&embed, similarity(&case["similarity"]));
        let task_type = case["task_type"].as_str().expect("a task type");
        let scores = score(task_type, &options, table("rows.jsonl", &case["rows"]), &mut session);
        assert_equal(&scores.expect("the case can be scored"), case);
        let phases: Vec<&str> =
            case["phases"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        assert_eq!(session.phases, phases, "{}", case["name"]);
    }
}

/// The number of letters and the number of the first letter.
fn embed(text: &str) -> Vec<f32> {
    vec![text.len() as f32, text.bytes().next().map_or(0.0, f32::from)]
}

fn message(task_type: &str, options: &Protocol, rows: &Value) -> String {
    let mut session = GivenSession::new(&embed, Similarity::Cosine);
    let error = score(task_type, options, table("rows.jsonl", rows), &mut session)
        .expect_err("the data must be refused");
    error.to_string()
}

#[test]
fn labels_must_be_zero_or_one() {
    let rows = json!({"sentence1": ["a", "b"], "sentence2": ["c", "d"], "labels": [0, 2]});
    assert_eq!(
        message("PairClassification", &Protocol::default(), &rows),
        "rows.jsonl, row 2, column `labels`: expected 0 (dissimilar) or 1 (similar), found a number: 2"
    );
}

#[test]
fn labels_may_be_written_in_several_ways_but_not_mixed() {
    let scored = |labels: Value| {
        let rows = json!({"sentence1": ["a", "b", "cc"], "sentence2": ["a", "bbb", "cc"], "labels": labels});
        let mut session = GivenSession::new(&embed, Similarity::Cosine);
        score("PairClassification", &Protocol::default(), table("rows.jsonl", &rows), &mut session)
            .expect("scores")
    };
    let usual = scored(json!([1, 0, 1]));
    for labels in
        [json!(["1", "0", "1"]), json!([true, false, true]), json!([1.0, 0.0, 1.0]), json!([1, -1, 1])]
    {
        assert_eq!(scored(labels.clone()), usual, "{labels}");
    }
    let mixed = json!({"sentence1": ["a", "b", "c"], "sentence2": ["a", "b", "c"], "labels": [0, 1, -1]});
    assert_eq!(
        message("PairClassification", &Protocol::default(), &mixed),
        "rows.jsonl, row 3, column `labels`: expected 0 or -1 for all dissimilar pairs, found a number: -1"
    );
}

#[test]
fn gold_may_be_boolean() {
    let scored = |gold: Value| {
        let rows = json!({"sentence1": ["a", "b", "ccc"], "sentence2": ["ab", "b", "c"], "score": gold});
        let mut session = GivenSession::new(&embed, Similarity::Dot);
        score("STS", &Protocol::default(), table("rows.jsonl", &rows), &mut session).expect("scores")
    };
    assert_eq!(scored(json!([true, false, true])), scored(json!([1, 0, 1])));
}

#[test]
fn lists_in_one_row_must_be_equally_long() {
    let rows = json!({"sentence1": [["a", "b"]], "sentence2": [["c"]], "labels": [[0, 1]]});
    assert_eq!(
        message("PairClassification", &Protocol::default(), &rows),
        "rows.jsonl, row 1, column `sentence2`: expected a list of 2 cells, as many as in `sentence1`, \
         found a list: [\"c\"]"
    );
}

#[test]
fn one_row_cannot_be_correlated() {
    let rows = json!({"sentence1": ["a"], "sentence2": ["b"], "score": [1]});
    assert_eq!(
        message("STS", &Protocol::default(), &rows),
        "rows.jsonl: expected at least 2 rows to correlate, found: 1"
    );
}

#[test]
fn the_gold_range_must_not_be_empty() {
    let rows = json!({"sentence1": ["a", "b"], "sentence2": ["b", "c"], "score": [1, 2]});
    let options = Protocol { min_score: Some(5.0), ..Protocol::default() };
    assert_eq!(
        message("STS", &options, &rows),
        "options `min_score` and `max_score`: expected the first below the second, found: 5 and 5"
    );
}

#[test]
fn gold_pairs_lie_within_both_sides() {
    let rows = json!({"sentence1": [["a"]], "sentence2": [["b", "c"]], "gold": [[[1, 3]]]});
    assert_eq!(
        message("BitextMining", &Protocol::default(), &rows),
        "rows.jsonl, row 1, column `gold`: expected pairs of places, from 1 to 1 in `sentence1` and to 2 in \
         `sentence2`, found a list: [1,3]"
    );
}

#[test]
fn every_machine_summary_has_a_relevance() {
    let rows = json!({
        "human_summaries": [["a"]], "machine_summaries": [["b", "c"]], "relevance": [[1]]
    });
    assert_eq!(
        message("Summarization", &Protocol::default(), &rows),
        "rows.jsonl, row 1, column `relevance`: expected a list of 2 numbers, one for each machine summary, \
         found a list: [1]"
    );
}

#[test]
fn scores_that_cannot_mean_anything_are_flagged() {
    let same = |_: &str| vec![1.0, 1.0];
    for (task_type, rows) in [
        ("STS", json!({"sentence1": ["a", "b"], "sentence2": ["c", "d"], "score": [1, 2]})),
        ("PairClassification", json!({"sentence1": ["a", "b"], "sentence2": ["c", "d"], "labels": [0, 1]})),
        (
            "Summarization",
            json!({"human_summaries": [["a"]], "machine_summaries": [["b", "c"]], "relevance": [[1, 2]]}),
        ),
    ] {
        let mut session = GivenSession::new(&same, Similarity::Cosine);
        score(task_type, &Protocol::default(), table("rows.jsonl", &rows), &mut session).expect("scores");
        assert_eq!(session.warnings.len(), 1, "{task_type}");
    }
}

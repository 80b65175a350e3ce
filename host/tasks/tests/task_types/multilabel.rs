//! Multilabel classification on small given embeddings beside whole results of mteb (fixture from
//! `tests/golden/classify/multilabel_tasks.py`), and what is said about data that does not fit.

use std::collections::BTreeMap;

use crate::given_session::{GivenSession, score_parts};
use mteb_data::{Column, Table};
use mteb_tasks::{Part, Protocol, Score, Scores, Similarity, TaskState, Unit, task_types};
use serde_json::{Value, json};

const GOLDEN: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/classify/multilabel_tasks.json");

fn table(file: &str, rows: &Value) -> Table {
    let texts = rows["text"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    let labels = rows["label"].as_array().expect("a list").clone();
    let columns = vec![("text".to_owned(), Column::Text(texts)), ("label".to_owned(), Column::Any(labels))];
    Table::new(file, columns).expect("columns are equally long")
}

fn parts(splits: &Value) -> BTreeMap<Part, Table> {
    [(Part::Train, "train"), (Part::Rows, "test")]
        .into_iter()
        .map(|(part, split)| (part, table(&format!("{split}.jsonl"), &splits[split])))
        .collect()
}

/// The scores in the form of the fixture: `[key, value]` pairs in order.
fn listed(scores: &Scores) -> Value {
    let value = |score: &Score| match score {
        Score::Number(number) | Score::Numpy(number) => json!(number),
        Score::List(experiments) => experiments
            .iter()
            .map(|experiment| match experiment {
                Score::Map(scores) => listed(scores),
                other => panic!("no experiment: {other:?}"),
            })
            .collect(),
        other => panic!("no score: {other:?}"),
    };
    scores.0.iter().map(|(key, score)| json!([key, value(score)])).collect()
}

#[test]
fn scores_keys_and_phases_equal_mteb_over_all_subsets() {
    let text = std::fs::read_to_string(GOLDEN).expect("fixture is part of the project");
    let cases: Vec<Value> = serde_json::from_str(&text).expect("fixture is JSON");
    let task_type = task_types::find("MultilabelClassification").expect("the task type is registered");
    for case in &cases {
        let embed = |text: &str| -> Vec<f32> {
            let numbers = case["embeddings"][text].as_array().expect("every text has an embedding");
            numbers.iter().filter_map(Value::as_f64).map(|number| number as f32).collect()
        };
        let options: Protocol = serde_json::from_value(case["options"].clone()).expect("options");
        let mut state = TaskState::new();
        for (subset, splits) in case["subsets"].as_object().expect("subsets") {
            let unit = Unit::new(["Task", "test", subset], parts(splits));
            let plan = task_type.plan(unit, &options, &mut state).expect("the case can be planned");
            let mut session = GivenSession::new(&embed, Similarity::Cosine);
            let scores = plan.score(&mut session).expect("the case can be scored");
            assert_eq!(listed(&scores), case["scores"][subset], "{}, subset {subset}", case["name"]);
            assert_eq!(json!(session.phases), case["phases"], "{}", case["name"]);
        }
    }
}

/// The number of letters and the number of the first letter.
fn embed(text: &str) -> Vec<f32> {
    vec![text.len() as f32, text.bytes().next().map_or(0.0, f32::from)]
}

fn message(options: &Protocol, train: &Value, test: &Value) -> String {
    let rows = |labels: &Value| {
        let texts: Vec<String> =
            (0..labels.as_array().expect("a list").len()).map(|i| format!("t{i}")).collect();
        json!({"text": texts, "label": labels})
    };
    let splits = json!({"train": rows(train), "test": rows(test)});
    let mut session = GivenSession::new(&embed, Similarity::Cosine);
    let scores = score_parts("MultilabelClassification", options, parts(&splits), &mut session);
    scores.expect_err("the data must be refused").to_string()
}

#[test]
fn labels_are_lists() {
    assert_eq!(
        message(&Protocol::default(), &json!([[0], 1]), &json!([[0], [1]])),
        "train.jsonl, row 2, column `label`: expected a list, found a number: 1"
    );
}

#[test]
fn labels_are_of_one_kind() {
    assert_eq!(
        message(&Protocol::default(), &json!([[], [0, 1]]), &json!([[0], ["1"]])),
        "test.jsonl, row 2, column `label`: expected a list of whole numbers, found a list: [\"1\"]"
    );
    assert_eq!(
        message(&Protocol::default(), &json!([["a"], ["a", null]]), &json!([["a"], ["b"]])),
        "train.jsonl, row 2, column `label`: expected a list of texts, found a list: [\"a\",null]"
    );
    assert_eq!(
        message(&Protocol::default(), &json!([[0.5]]), &json!([[0]])),
        "train.jsonl, row 1, column `label`: expected a list of texts or of whole numbers, \
         found a list: [0.5]"
    );
}

#[test]
fn one_label_is_not_enough() {
    assert_eq!(
        message(&Protocol::default(), &json!([["a"], ["b"]]), &json!([["a"], ["a"]])),
        "test.jsonl: column `label`: expected rows of at least 2 labels to predict, found: 1"
    );
}

#[test]
fn five_examples_are_needed_to_vote() {
    assert_eq!(
        message(&Protocol::default(), &json!([["a"], ["b"], ["a", "b"]]), &json!([["a"], ["b"]])),
        "expected at least 5 training rows, as many as neighbours vote, found: 3"
    );
}

#[test]
fn nothing_is_drawn_without_experiments_or_samples() {
    let options = Protocol { experiments: Some(0), ..Protocol::default() };
    assert_eq!(
        message(&options, &json!([["a"], ["b"]]), &json!([["a"], ["b"]])),
        "option `experiments`: expected at least 1, found: 0"
    );
    let options = Protocol { samples_per_label: Some(0), ..Protocol::default() };
    assert_eq!(
        message(&options, &json!([["a"], ["b"]]), &json!([["a"], ["b"]])),
        "option `samples_per_label`: expected at least 1, found: 0"
    );
}

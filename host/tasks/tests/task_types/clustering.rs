//! Clustering on small given embeddings beside whole results of mteb (fixtures from
//! `tests/golden/cluster/tasks.py`), and what is said about data that does not fit.

use std::collections::BTreeMap;

use crate::given_session::{GivenSession, score_parts};
use mteb_data::{Column, Table};
use mteb_tasks::{EvaluateError, Part, Protocol, Score, Scores, Similarity, TaskState, Unit, task_types};
use serde_json::{Value, json};

/// The fixtures' generator of embeddings: sentence n lies near the centre of group n modulo the
/// number of groups.
struct Encoder {
    seed: u64,
    dimension: usize,
    groups: u64,
    distance: f32,
}

impl Encoder {
    fn new(case: &Value) -> Self {
        let number = |place: usize| case["shape"][place].as_u64().expect("a number");
        Self {
            seed: case["seed"].as_u64().expect("a number"),
            dimension: number(0) as usize,
            groups: number(1),
            distance: number(2) as f32,
        }
    }

    /// Numbers of a linear congruential generator.
    fn numbers(&self, name: u64) -> impl Iterator<Item = f32> {
        let mut state = (self.seed << 20) + name;
        let next = move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % 8192
        };
        std::iter::repeat_with(next).skip(2).map(|number| number as f32 - 4096.0)
    }

    fn embed(&self, sentence: u64) -> Vec<f32> {
        let centre = self.numbers((1 << 19) + sentence % self.groups);
        let numbers = self.numbers(sentence).zip(centre).take(self.dimension);
        numbers.map(|(noise, place)| (noise + self.distance * place) / 4096.0).collect()
    }
}

fn column(cells: &Value) -> Column {
    let cells = cells.as_array().expect("a list");
    if cells.iter().all(Value::is_string) {
        Column::Text(cells.iter().filter_map(Value::as_str).collect())
    } else if cells.iter().all(Value::is_i64) {
        Column::Int(cells.iter().filter_map(Value::as_i64).collect())
    } else {
        Column::Any(cells.clone())
    }
}

/// Numbers as texts, in lists too.
fn texts(sentences: &Value) -> Value {
    match sentences {
        Value::Array(sentences) => sentences.iter().map(texts).collect(),
        Value::Number(sentence) => json!(sentence.to_string()),
        other => other.clone(),
    }
}

fn parts(split: &Value) -> BTreeMap<Part, Table> {
    let columns = vec![
        ("sentences".to_owned(), column(&texts(&split["sentences"]))),
        ("labels".to_owned(), column(&split["labels"])),
    ];
    BTreeMap::from([(Part::Rows, Table::new("test.jsonl", columns).expect("columns are equally long"))])
}

/// Scores of all splits, which share one random state.
fn score_case(case: &Value) -> Result<Vec<Scores>, EvaluateError> {
    let encoder = Encoder::new(case);
    let embed = |text: &str| encoder.embed(text.parse().expect("a number"));
    let options: Protocol = serde_json::from_value(case["options"].clone()).expect("options");
    let mut state = TaskState::new();
    let splits = case["splits"].as_array().expect("a list");
    let score = |split: &Value| {
        let unit = Unit::new(["Task", "test", "default"], parts(split));
        let task_type = task_types::find("Clustering").expect("the task type is registered");
        let mut session = GivenSession::new(&embed, Similarity::Cosine);
        task_type.plan(unit, &options, &mut state)?.score(&mut session)
    };
    splits.iter().map(score).collect()
}

fn assert_equal(found: &Scores, expected: &Value, what: &str) {
    let expected = expected.as_object().expect("an entry");
    let keys: Vec<&String> = found.0.iter().map(|(key, _)| key).collect();
    assert_eq!(keys, expected.keys().collect::<Vec<_>>(), "{what}: keys in order");
    for ((key, found), expected) in found.0.iter().zip(expected.values()) {
        assert_score(found, expected, &format!("{what}, {key}"));
    }
}

fn assert_score(found: &Score, expected: &Value, what: &str) {
    match (found, expected) {
        (Score::Number(found) | Score::Numpy(found), Value::Number(expected)) => {
            let expected = expected.as_f64().expect("a number");
            assert!((found - expected).abs() < 1e-12, "{what}: expected {expected}, found {found}");
        }
        (Score::List(found), Value::Array(expected)) => {
            assert_eq!(found.len(), expected.len(), "{what}");
            found.iter().zip(expected).for_each(|(found, expected)| assert_score(found, expected, what));
        }
        (Score::Map(found), expected) => assert_equal(found, expected, what),
        (found, expected) => panic!("{what}: expected {expected}, found {found:?}"),
    }
}

fn check(file: &str) {
    let path = format!("{}/../../tests/golden/cluster/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("fixture is part of the project");
    let cases: Vec<Value> = serde_json::from_str(&text).expect("fixture is JSON");
    for case in &cases {
        let what = format!("{file}, seed {}", case["seed"]);
        match (score_case(case), case["scores"].as_array()) {
            (Ok(found), Some(expected)) => {
                assert_eq!(found.len(), expected.len(), "{what}");
                for (split, (found, expected)) in found.iter().zip(expected).enumerate() {
                    assert_equal(found, expected, &format!("{what}, split {split}"));
                }
            }
            (found, None) => assert!(found.is_err(), "{what}: the reference refuses this"),
            (Err(error), Some(_)) => panic!("{what}: {error}"),
        }
    }
}

#[test]
fn samples_levels_and_rounds_equal_mteb() {
    check("tasks.json");
}

#[test]
fn sets_equal_mteb() {
    check("sets.json");
}

/// The number of letters and the number of the first letter.
fn embed(text: &str) -> Vec<f32> {
    vec![text.len() as f32, text.bytes().next().map_or(0.0, f32::from)]
}

fn scored(options: &Protocol, split: &Value) -> (Result<Scores, String>, Vec<String>, Vec<String>) {
    let mut session = GivenSession::new(&embed, Similarity::Cosine);
    let scores = score_parts("Clustering", options, parts(split), &mut session);
    (scores.map_err(|error| error.to_string()), session.phases, session.warnings)
}

fn message(options: &Protocol, split: &Value) -> String {
    scored(options, split).0.expect_err("the data must be refused")
}

/// All documents, few draws.
fn all() -> Protocol {
    Protocol { max_documents: Some(0), max_documents_per_cluster: Some(4), ..Protocol::default() }
}

fn legacy() -> Protocol {
    Protocol { legacy: true, ..Protocol::default() }
}

#[test]
fn a_single_label_is_scored_with_a_warning() {
    let (scores, phases, warnings) = scored(&all(), &json!({"sentences": ["a", "b"], "labels": [3, 3]}));
    assert_eq!(scores.expect("scores").number("v_measure"), Some(1.0));
    assert_eq!(phases, ["Encoding", "Scoring"]);
    assert_eq!(
        warnings,
        ["test.jsonl, column `labels`: all labels of level 0 are equal: every model scores 1 there"]
    );
    let sets = json!({"sentences": [["a", "b"], []], "labels": [[3, 3], []]});
    let (scores, phases, warnings) = scored(&legacy(), &sets);
    assert_eq!(scores.expect("scores").number("v_measure"), Some(1.0));
    assert_eq!(phases, ["Scoring"]);
    assert_eq!(
        warnings,
        ["test.jsonl, column `labels`: 2 of 2 sets have fewer than two labels: every model scores 1 there"]
    );
}

#[test]
fn a_sample_with_one_label_is_told_from_data_with_one() {
    let split = json!({"sentences": ["a", "b", "c"], "labels": [0, 1, 2]});
    let one = Protocol { max_documents: Some(1), max_documents_per_cluster: Some(4), ..Protocol::default() };
    let (scores, _, warnings) = scored(&one, &split);
    assert_eq!(scores.expect("scores").number("v_measure"), Some(1.0));
    let said = "test.jsonl, column `labels`: 1 of 3 rows is embedded, all with one label on level 0: every model scores 1 there; \
                set `max_documents` to embed more rows, 0 for all";
    assert_eq!(warnings, [said]);
}

#[test]
fn the_share_of_documents_must_be_one_or_more() {
    let split = json!({"sentences": ["a", "b"], "labels": [0, 1]});
    assert_eq!(
        message(&Protocol::default(), &split),
        "test.jsonl: expected at least 25 rows, of which the share 0.04 (`max_fraction_of_documents`) is one to embed, \
         found: 2; set `max_documents = 0` to embed all, or the number of rows to embed"
    );
    let empty = json!({"sentences": [], "labels": []});
    assert_eq!(message(&all(), &empty), "test.jsonl: expected at least one row, found none");
    assert_eq!(message(&legacy(), &empty), "test.jsonl: expected at least one set of sentences, found none");
}

#[test]
fn as_many_rows_are_drawn_as_there_are_labels() {
    let split = json!({"sentences": ["a", "b", "c"], "labels": ["x", "y", "z"]});
    let options = Protocol { max_documents_per_cluster: Some(2), ..all() };
    assert_eq!(
        message(&options, &split),
        "test.jsonl, column `labels`, level 0: expected at most 2 labels, as many as rows are clustered \
         (`max_documents_per_cluster`), found: 3"
    );
}

#[test]
fn minus_one_stands_for_no_label() {
    assert_eq!(
        message(&all(), &json!({"sentences": ["a", "b"], "labels": [-1, -1]})),
        "test.jsonl, column `labels`, level 0: expected labels, found only -1, which stands for no label"
    );
    assert_eq!(
        message(&all(), &json!({"sentences": ["a", "b"], "labels": [[], []]})),
        "test.jsonl, column `labels`: expected rows with labels, found empty lists"
    );
}

#[test]
fn labels_are_of_one_kind_and_none_is_missing() {
    assert_eq!(
        message(
            &Protocol { max_documents: Some(0), ..Protocol::default() },
            &json!({"sentences": ["a", "b"], "labels": [[0, 1], ["0"]]})
        ),
        "test.jsonl, row 2, column `labels`: expected numbers like the labels before it, \
         found a list: [\"0\"]"
    );
    assert_eq!(
        message(&all(), &json!({"sentences": ["a", "b"], "labels": ["x", null]})),
        "test.jsonl, row 2, column `labels`: expected texts, numbers or booleans as labels, found null"
    );
}

#[test]
fn a_set_has_a_label_for_each_sentence() {
    let split = json!({"sentences": [["a", "b"]], "labels": [[1]]});
    assert_eq!(
        message(&legacy(), &split),
        "test.jsonl, row 1, column `labels`: expected a list of 2 labels, as long as the one in `sentences`, \
         found a list: [1]"
    );
    let flat = json!({"sentences": ["a", "b"], "labels": [1, 2]});
    assert_eq!(
        message(&legacy(), &flat),
        "test.jsonl, row 1, column `sentences`: expected a list of strings, found a string: \"a\"; 1 more row \
         is invalid: row 2"
    );
}

#[test]
fn options_must_leave_something_to_do() {
    let split = json!({"sentences": ["a", "b"], "labels": [0, 1]});
    let refused = |options: Protocol| message(&options, &split);
    assert_eq!(
        refused(Protocol { rounds: Some(0), ..all() }),
        "option `rounds`: expected at least 1, found: 0"
    );
    assert_eq!(
        refused(Protocol { max_fraction_of_documents: Some(0.5), ..all() }),
        "option `max_documents`: expected none together with `max_fraction_of_documents`, found: both"
    );
    assert_eq!(
        refused(Protocol { max_fraction_of_documents: Some(0.0), ..Protocol::default() }),
        "option `max_fraction_of_documents`: expected a number above 0, found: 0"
    );
}

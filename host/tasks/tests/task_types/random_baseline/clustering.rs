//! Whole datasets clustered for the random baseline encoder, beside the reference's result file
//! (protocol 16).

use std::collections::BTreeMap;

use mteb_data::{Folder, Table};
use mteb_tasks::{Part, Protocol, Score, Scores, Similarity, TaskState, Unit, task_types};
use serde_json::Value;

use super::{TOLERANCE, beside, embed, open, shared};
use crate::given_session::GivenSession;

/// Keys in order and values to the last written digit.
fn assert_equal(found: &Scores, expected: &Value, place: &str) {
    for (key, found, expected) in beside(found, expected, place) {
        assert_score(found, expected, &format!("{place}, {key}"));
    }
}

fn assert_score(found: &Score, expected: &Value, place: &str) {
    match (found, expected) {
        (Score::Map(found), expected) => assert_equal(found, expected, place),
        (Score::List(found), Value::Array(expected)) => {
            assert_eq!(found.len(), expected.len(), "{place}");
            found.iter().zip(expected).for_each(|(found, expected)| assert_score(found, expected, place));
        }
        (Score::Number(found) | Score::Numpy(found), Value::Number(expected)) => {
            let expected = expected.as_f64().expect("a number");
            assert!((found - expected).abs() < TOLERANCE, "{place}: expected {expected}, found {found}");
        }
        (found, expected) => panic!("{place}: expected {expected}, found {found:?}"),
    }
}

/// The task joins the three splits of the dataset.
fn rows(folder: &Folder, subset: &str) -> Table {
    let splits =
        ["train", "validation", "test"].map(|split| folder.read(subset, split).expect("the split is there"));
    let all = Table::concat(splits.to_vec()).expect("the splits have the same columns");
    all.rename([("sentences", "text"), ("labels", "category")]).expect("the columns are there")
}

#[test]
fn sib_200_whose_subsets_continue_one_random_state_equals_the_reference() {
    let Some(shared) = shared() else { return };
    let file = shared.join("golden/random/SIB200ClusteringS2S.json");
    let text = std::fs::read_to_string(file).expect("the result file is there");
    let result: Value = serde_json::from_str(&text).expect("the result file is JSON");
    let folder = open(&shared, "sib200");
    let options = Protocol { max_documents: Some(1004), ..Protocol::default() };
    let task_type = task_types::find("Clustering").expect("the task type is registered");
    let mut state = TaskState::new();
    for entry in result["scores"]["test"].as_array().expect("entries") {
        let subset = entry["hf_subset"].as_str().expect("a name").to_owned();
        let parts = BTreeMap::from([(Part::Rows, rows(&folder, &subset))]);
        let unit = Unit::new(["SIB200ClusteringS2S", "test", &subset], parts);
        let plan = task_type.plan(unit, &options, &mut state).expect("a plan");
        let scores = plan.score(&mut GivenSession::new(&embed, Similarity::Cosine)).expect("scores");
        assert_equal(&scores, entry, &subset);
    }
}

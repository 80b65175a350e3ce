//! Whole datasets classified for the random baseline encoder, beside the reference's result files
//! (protocol 16).

use std::collections::{BTreeMap, BTreeSet};

use mteb_tasks::{Part, Protocol, Score, Scores, Similarity};
use serde_json::Value;

use super::{TOLERANCE, beside, embed, open, shared};
use crate::given_session::{GivenSession, score_parts};

/// Rounding decides where some fits end (the end-to-end test says which and why), and then single
/// predictions flip: how far the scores of such an experiment may be away, the means over ten, and
/// how many experiments of a task may be such.
const FLIPPED_EXPERIMENT: f64 = 0.011;
const FLIPPED_MEAN: f64 = 0.0011;
const FLIPPED: usize = 2;

/// Compares entries; adds the experiments in which predictions are flipped to `flipped`.
fn assert_equal(found: &Scores, expected: &Value, place: &str, flipped: &mut BTreeSet<String>) {
    for (key, found, expected) in beside(found, expected, place) {
        let (of, place) = (place, format!("{place}, {key}"));
        match (found, expected) {
            (Score::List(found), Value::Array(expected)) => {
                assert_eq!(found.len(), expected.len(), "{place}");
                for (index, pair) in found.iter().zip(expected).enumerate() {
                    let (Score::Map(found), expected) = pair else { panic!("{place}: no experiment") };
                    assert_equal(found, expected, &format!("{place}[{index}]"), flipped);
                }
            }
            (Score::Number(found), Value::Number(expected)) => {
                let expected = expected.as_f64().expect("a number");
                let distance = (found - expected).abs();
                let is_experiment = of.ends_with(']');
                let limit = if is_experiment { FLIPPED_EXPERIMENT } else { FLIPPED_MEAN };
                assert!(distance <= limit, "{place}: expected {expected}, found {found}");
                if distance >= TOLERANCE && is_experiment {
                    flipped.insert(of.to_owned());
                }
            }
            // The result files hold the token `NaN`, which is no JSON and is read as null here.
            (Score::Number(found), Value::Null) => assert!(found.is_nan(), "{place}: expected NaN"),
            (found, expected) => assert_eq!((found, expected), (&Score::Null, &Value::Null), "{place}"),
        }
    }
}

/// Scores every entry of the task's result file; the dataset's labels lie in column `labels`.
fn check(task: &str, dataset: &str, labels: &str) {
    let Some(shared) = shared() else { return };
    let file = shared.join("golden/random").join(format!("{task}.json"));
    let text = std::fs::read_to_string(file).expect("the result file is there").replace("NaN", "null");
    let result: Value = serde_json::from_str(&text).expect("the result file is JSON");
    let folder = open(&shared, dataset);
    let mut flipped = BTreeSet::new();
    for (split, entries) in result["scores"].as_object().expect("splits") {
        for entry in entries.as_array().expect("entries") {
            let subset = entry["hf_subset"].as_str().expect("a name");
            let read = |split| {
                let table = folder.read(subset, split).expect("the split is there");
                table.rename([("label", labels)]).expect("the labels are there")
            };
            let parts = BTreeMap::from([(Part::Train, read("train")), (Part::Rows, read(split.as_str()))]);
            let mut session = GivenSession::new(&embed, Similarity::Cosine);
            let scores =
                score_parts("Classification", &Protocol::default(), parts, &mut session).expect("scores");
            assert_equal(&scores, entry, &format!("{task}, split {split}, subset {subset}"), &mut flipped);
        }
    }
    assert!(flipped.len() <= FLIPPED, "{flipped:?}");
}

#[test]
fn banking_77_with_many_classes_equals_the_reference() {
    check("Banking77Classification", "banking77", "label");
}

#[test]
fn nusa_x_with_a_config_a_language_equals_the_reference() {
    check("NusaX-senti", "NusaX-senti", "label");
}

#[test]
fn sib_200_with_texts_as_labels_and_three_splits_equals_the_reference() {
    check("SIB200Classification", "sib200", "category");
}

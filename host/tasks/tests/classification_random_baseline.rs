//! Whole datasets classified for the random baseline encoder, beside the reference's result files (protocol 16).
//!
//! The datasets and result files lie in `../shared`, seen from the project root; without it the tests say that they
//! check nothing, and fail where `CI` is `true`.

#![allow(clippy::expect_used, clippy::panic, reason = "a test stops at what it did not expect")]

mod given_session;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use given_session::{GivenSession, score_parts};
use mteb_data::Folder;
use mteb_measures::random::Generator;
use mteb_tasks::{Options, Part, Score, Scores, Similarity};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Dimension of the baseline's embeddings.
const DIMENSION: usize = 32;

/// Scores are rounded to six decimals; two values on the two sides of a rounding edge differ by one unit there.
const TOLERANCE: f64 = 1e-6;

/// Rounding decides where some fits end (the end-to-end test says which and why), and then single predictions flip: how
/// far the scores of such an experiment may be away, the means over ten, and how many experiments of a task may be such.
const FLIPPED_EXPERIMENT: f64 = 0.011;
const FLIPPED_MEAN: f64 = 0.0011;
const FLIPPED: usize = 2;

/// Keys that the result file adds to the scores.
const ADDED: [&str; 4] = ["main_score", "hf_subset", "languages", "mteb_version"];

/// `mteb/baseline-random-encoder`, revision 2: draws of a generator that the text's hash seeds.
fn embed(text: &str) -> Vec<f32> {
    let hash = Sha256::digest(text.as_bytes());
    let seed = hash.iter().skip(28).fold(0u64, |seed, byte| seed << 8 | u64::from(*byte));
    let mut generator = Generator::new(seed);
    (0..DIMENSION).map(|_| generator.random_f32()).collect()
}

/// The folder of shared datasets and result files, or `None` with a message.
fn shared() -> Option<PathBuf> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    if shared.join("hub").is_dir() {
        return Some(shared);
    }
    assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "{} is absent", shared.display());
    eprintln!("nothing checked: {} is absent", shared.display());
    None
}

/// The dataset `name` of the hub, in its only revision.
fn open(shared: &Path, name: &str) -> Folder {
    let dataset = shared.join("hub/datasets/mteb").join(name);
    let revision = dataset.read_dir().expect("the dataset is there").next().expect("one revision");
    Folder::open(&revision.expect("a folder").path()).expect("the folder can be read")
}

/// Compares entries; adds the experiments in which predictions are flipped to `flipped`.
fn assert_equal(found: &Scores, expected: &Value, place: &str, flipped: &mut BTreeSet<String>) {
    let expected: Vec<(&String, &Value)> = expected
        .as_object()
        .expect("an entry")
        .iter()
        .filter(|(key, _)| !ADDED.contains(&key.as_str()))
        .collect();
    let keys: Vec<&String> = found.0.iter().map(|(key, _)| key).collect();
    assert_eq!(keys, expected.iter().map(|(key, _)| *key).collect::<Vec<_>>(), "{place}: keys in order");
    for ((key, found), (_, expected)) in found.0.iter().zip(expected) {
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
                score_parts("Classification", &Options::default(), parts, &mut session).expect("scores");
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

//! Whole datasets clustered for the random baseline encoder, beside the reference's result file (protocol 16).
//!
//! The dataset and the result file lie in `../shared`, seen from the project root; without it the test says that it
//! checks nothing, and fails where `CI` is `true`.

#![allow(clippy::expect_used, clippy::panic, reason = "a test stops at what it did not expect")]

mod given_session;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use given_session::GivenSession;
use mteb_data::{Folder, Table};
use mteb_measures::random::Generator;
use mteb_tasks::{Options, Part, Score, Scores, Similarity, TaskState, Unit, task_types};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Dimension of the baseline's embeddings.
const DIMENSION: usize = 32;

/// Scores are rounded to six decimals; two values on the two sides of a rounding edge differ by one unit there.
const TOLERANCE: f64 = 1e-6;

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

/// Keys in order and values to the last written digit.
fn assert_equal(found: &Scores, expected: &Value, place: &str) {
    let expected: Vec<(&String, &Value)> = expected
        .as_object()
        .expect("an entry")
        .iter()
        .filter(|(key, _)| !ADDED.contains(&key.as_str()))
        .collect();
    let keys: Vec<&String> = found.0.iter().map(|(key, _)| key).collect();
    assert_eq!(keys, expected.iter().map(|(key, _)| *key).collect::<Vec<_>>(), "{place}: keys in order");
    for ((key, found), (_, expected)) in found.0.iter().zip(expected) {
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
        (Score::Number(found), Value::Number(expected)) => {
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
    let options = Options { max_documents: Some(1004), ..Options::default() };
    let task_type = task_types::find("Clustering").expect("the task type is registered");
    let mut state = TaskState::new();
    for entry in result["scores"]["test"].as_array().expect("entries") {
        let subset = entry["hf_subset"].as_str().expect("a name").to_owned();
        let parts = BTreeMap::from([(Part::Rows, rows(&folder, &subset))]);
        let unit = Unit {
            task: "SIB200ClusteringS2S".to_owned(),
            split: "test".to_owned(),
            subset: subset.clone(),
            is_own: false,
            keeps_all: false,
            extra: false,
            parts,
        };
        let plan = task_type.plan(unit, &options, &mut state).expect("a plan");
        let scores = plan.score(&mut GivenSession::new(&embed, Similarity::Cosine)).expect("scores");
        assert_equal(&scores, entry, &subset);
    }
}

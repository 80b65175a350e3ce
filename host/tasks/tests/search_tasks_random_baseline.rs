//! SciFact scored for the random baseline encoder, beside the reference's result file (protocol 16).
//!
//! The dataset and the result file lie in `../shared`, seen from the project root; without it the test says that it
//! checks nothing, and fails where `CI` is `true`.

#![allow(clippy::expect_used, clippy::panic, reason = "a test stops at what it did not expect")]

mod search_session;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mteb_data::{Folder, Table};
use mteb_measures::numeric::numpy_round;
use mteb_measures::random::Generator;
use mteb_tasks::{Options, Part, Score, Similarity, Unit};
use search_session::{SearchSession, score};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Dimension of the baseline's embeddings.
const DIMENSION: usize = 32;

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

/// A config of SciFact: the split `test`, else the only one.
fn read(folder: &Folder, config: &str) -> Table {
    let splits = folder.splits(config).expect("the config is there");
    let split = if splits.contains(&"test") { "test" } else { splits[0] };
    folder.read(config, split).expect("the config can be read")
}

#[test]
fn sci_fact_equals_the_reference() {
    let Some(shared) = shared() else { return };
    let revision = shared.join("hub/datasets/mteb/scifact").read_dir().expect("the dataset is there").next();
    let folder = Folder::open(&revision.expect("one revision").expect("a folder").path()).expect("a dataset");
    let parts = [(Part::Corpus, "corpus"), (Part::Queries, "queries"), (Part::Qrels, "default")];
    let unit = Unit {
        is_own: false,
        keeps_all: false,
        extra: false,
        task: "SciFact".to_owned(),
        split: "test".to_owned(),
        subset: "default".to_owned(),
        parts: parts
            .map(|(part, config)| (part, read(&folder, config)))
            .into_iter()
            .collect::<BTreeMap<_, _>>(),
    };
    let mut session = SearchSession::new(&embed, Similarity::Cosine);
    let scores = score("Retrieval", &Options::default(), unit, &mut session).expect("scores");
    let text = std::fs::read_to_string(shared.join("golden/random/SciFact.json")).expect("the result file");
    let result: Value = serde_json::from_str(&text).expect("the result file is JSON");
    let expected: Vec<(&str, Option<f64>)> = result["scores"]["test"][0]
        .as_object()
        .expect("an entry")
        .iter()
        .filter(|(key, _)| !ADDED.contains(&key.as_str()))
        .map(|(key, value)| (key.as_str(), value.as_f64()))
        .collect();
    let found: Vec<(&str, Option<f64>)> = scores
        .0
        .iter()
        .map(|(key, score)| match score {
            Score::Number(number) => (key.as_str(), Some(numpy_round(*number, 6))),
            _ => (key.as_str(), None),
        })
        .collect();
    assert_eq!(found, expected);
    let phases = result["evaluation_phases"].as_array().expect("phases");
    let names =
        phases.iter().filter(|phase| phase["split"] == "test").filter_map(|phase| phase["name"].as_str());
    assert_eq!(session.phases, names.collect::<Vec<_>>());
}

//! Whole datasets scored for the random baseline encoder, beside the reference's result files (protocol 16).
//!
//! The datasets and result files lie in `../shared`, seen from the project root; without it the tests say that they check
//! nothing, and fail where `CI` is `true`.

mod classification;
mod clustering;
mod pair_tasks;
mod search_tasks;

use std::path::{Path, PathBuf};

use mteb_data::Folder;
use mteb_measures::random::Generator;
use mteb_tasks::{Score, Scores, part_names};
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
#[track_caller]
fn shared() -> Option<PathBuf> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    if shared.join("hub").is_dir() {
        return Some(shared);
    }
    mteb_host_tests::absent(format!("no {}", shared.display()));
    None
}

/// The only revision of the dataset `name` of the hub.
fn revision(shared: &Path, name: &str) -> PathBuf {
    let dataset = shared.join("hub/datasets/mteb").join(name);
    let revision = dataset.read_dir().expect("the dataset is there").next().expect("one revision");
    revision.expect("a folder").path()
}

/// The dataset `name` of the hub, in its only revision.
fn open(shared: &Path, name: &str) -> Folder {
    Folder::open(&revision(shared, name), &part_names()).expect("the folder can be read")
}

/// The scores of a unit beside the numbers that its entry in a result file has; their keys are the same in the same order.
fn beside<'a>(
    found: &'a Scores,
    expected: &'a Value,
    place: &str,
) -> impl Iterator<Item = (&'a str, &'a Score, &'a Value)> {
    let expected = expected.as_object().expect("an entry").iter();
    let expected: Vec<(&String, &Value)> =
        expected.filter(|(key, _)| !ADDED.contains(&key.as_str())).collect();
    let keys: Vec<&String> = found.0.iter().map(|(key, _)| key).collect();
    assert_eq!(keys, expected.iter().map(|(key, _)| *key).collect::<Vec<_>>(), "{place}: keys in order");
    found.0.iter().zip(expected).map(|((key, found), (_, expected))| (key.as_str(), found, expected))
}

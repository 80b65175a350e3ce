//! Smaller embeddings: each choice is a result of its own.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};
use serde_json::Value;

const TASK: &str = "IndonesianLawRetrieval";
const EXPERIMENTS: &str = "results/mteb-host__hashing/1/experiments";

fn run(folder: &Path, more: &[&str]) -> Run {
    Run::of(host(folder).args(["run", "--quiet", "--task", TASK, "--dimensions", "64"]).args(more)).unwrap()
}

fn main_score(folder: &Path, experiment: &str) -> f64 {
    let path = folder.join(EXPERIMENTS).join(experiment).join(format!("{TASK}.json"));
    let file: Value =
        serde_json::from_str(&fs::read_to_string(path).unwrap().replace("NaN", "null")).unwrap();
    file["scores"]["test"][0]["main_score"].as_f64().unwrap()
}

#[test]
fn what_bits_found_is_ordered_anew_as_another_identity() {
    let folder = tempfile::tempdir().unwrap();
    let bits = ["--quantize", "ubinary"];
    let rescored = ["--quantize", "ubinary", "--rescore-multiplier", "4", "--rankings"];
    for more in [&bits[..], &rescored] {
        let first = run(folder.path(), more);
        // With so few bits some queries find documents of one score alone, and it is said.
        assert_eq!(first.code, Some(0), "{more:?}: {}", first.stderr);
    }
    let experiment = "embed_dim_64__output_dtypes_ubinary__rescore_multiplier_4";
    let (bits, rescored_score) = (
        main_score(folder.path(), "embed_dim_64__output_dtypes_ubinary"),
        main_score(folder.path(), experiment),
    );
    assert!(bits != rescored_score, "{bits}");
    let before =
        fs::read(folder.path().join(EXPERIMENTS).join(experiment).join(format!("{TASK}.json"))).unwrap();
    let again = run(folder.path(), &rescored).stderr;
    assert!(
        again.lines().all(|line| line.contains("have the same score")),
        "it stands, with what was said of it: {again}"
    );
    let after =
        fs::read(folder.path().join(EXPERIMENTS).join(experiment).join(format!("{TASK}.json"))).unwrap();
    assert!(before == after, "nothing is scored twice");

    let file = format!("{EXPERIMENTS}/{experiment}/rankings/{TASK}/test/default.trec.gz");
    let args = ["score", "--rankings", &file, "--task", TASK, "--json"];
    let scored = Run::of(host(folder.path()).args(args)).unwrap();
    assert_eq!(scored.code, Some(0), "{}", scored.stderr);
    let found = &scored.json().unwrap()["main_score"]["ndcg_at_10"];
    assert_eq!(found.as_f64(), Some(rescored_score), "the ranking is the one that was scored");
}

#[test]
fn only_bits_are_rescored() {
    let folder = tempfile::tempdir().unwrap();
    let refused = run(folder.path(), &["--quantize", "int8", "--rescore-multiplier", "4"]);
    assert_eq!(refused.code, Some(2));
    assert_eq!(
        refused.stderr,
        "error: `--rescore-multiplier` rescores what was found by bits: expected `--quantize ubinary`, found: int8\n"
    );
    let none = Run::of(host(folder.path()).args(["run", "--task", TASK, "--dimensions", "0"])).unwrap();
    assert_eq!(none.code, Some(2));
    assert!(
        none.stderr.contains("'--dimensions <N,N>': expected a whole number of at least 1"),
        "{}",
        none.stderr
    );
}

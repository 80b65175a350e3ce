//! What a score has cost stands in its file, and makes nothing scored again.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host, without_times};
use serde_json::Value;

const STS: &str = "IndonesianGeneralSTS";
const LAW: &str = "IndonesianLawRetrieval";

fn run(folder: &Path, more: &[&str]) -> Run {
    let tasks = ["--task", STS, "--task", LAW];
    let run =
        Run::of(host(folder).args(["run", "--quiet", "--model", "random"]).args(tasks).args(more)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run
}

fn text(folder: &Path, task: &str) -> String {
    let mut found = None;
    let results = folder.join("results/mteb__baseline-random-encoder");
    for revision in fs::read_dir(results).unwrap() {
        found = fs::read_to_string(revision.unwrap().path().join(format!("{task}.json"))).ok().or(found);
    }
    found.unwrap()
}

fn result(folder: &Path, task: &str) -> Value {
    serde_json::from_str(&text(folder, task).replace("NaN", "null")).unwrap()
}

#[test]
fn every_result_says_what_it_has_cost() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), &[]);
    for task in [STS, LAW] {
        let result = result(folder.path(), task);
        let footprint = &result["mteb_host"]["footprint"];
        let number =
            |key: &str| footprint[key].as_f64().unwrap_or_else(|| panic!("{task}, {key}: {footprint}"));
        for key in ["memory_mb", "host_memory_mb", "worker_memory_mb"] {
            assert!(number(key) > 1.0, "{task}, {key}: {footprint}");
        }
        assert_eq!(number("embedding_bytes"), 128.0, "32 numbers of 4 bytes");
        assert!(number("texts") >= number("texts_encoded") && number("texts_encoded") > 0.0, "{footprint}");
        assert!(number("threads") >= 1.0 && number("texts_per_second") > 0.0 && number("units") == 1.0);
        for stretch in ["reading", "encoding", "searching", "scoring"] {
            let work = &footprint["seconds"][stretch];
            assert!(work["wall"].is_number() && work["processor"].is_number(), "{stretch}: {footprint}");
        }
        for key in ["gpu_memory_mb", "gpu_joules"] {
            assert_eq!(
                footprint.get(key),
                Some(&Value::Null),
                "{task}, {key}: no card computes: {footprint}"
            );
        }
        assert_eq!(footprint["libraries"]["mteb-host"], env!("CARGO_PKG_VERSION"));
        assert_eq!(result["footprint"]["memory_mb"], footprint["memory_mb"]);
        assert_eq!(result["footprint"]["model_parameters"], footprint["model_parameters"]);
    }
}

#[test]
fn a_footprint_is_no_reason_to_score_again_and_changes_no_other_byte() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), &[]);
    let before = [STS, LAW].map(|task| text(folder.path(), task));
    assert_eq!(run(folder.path(), &["--batch-tokens", "512"]).stderr, "");
    assert_eq!([STS, LAW].map(|task| text(folder.path(), task)), before, "nothing was scored");
    run(folder.path(), &["--overwrite", "always"]);
    for (task, before) in [STS, LAW].into_iter().zip(&before) {
        let now = text(folder.path(), task);
        assert_eq!(without_times(&now).unwrap(), without_times(before).unwrap(), "{task}");
    }
}

#[test]
fn models_are_measured_on_the_texts_of_a_task() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["efficiency", "hashing", "random", "--offline", "--repeat", "2", "--singles", "5"];
    let json = Run::of(host(folder.path()).args(args).arg("--json")).unwrap();
    assert_eq!(json.code, Some(0), "{}", json.stderr);
    assert!(
        json.stderr.contains("; the texts of IndonesianGeneralSTS are encoded instead\n"),
        "the data of STS15 is not at hand: {}",
        json.stderr
    );
    let found: Value = json.json().unwrap();
    assert_eq!((&found["task"], &found["batch_size"]), (&"IndonesianGeneralSTS".into(), &32.into()));
    let [hashing, random] = found["models"].as_array().unwrap().as_slice() else { panic!("{found}") };
    assert_eq!((&random["embedding_kb"], &random["embedding_bytes"]), (&0.128.into(), &128.into()));
    for model in [hashing, random] {
        let speed = &model["texts_per_second"];
        let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{model}"));
        assert_eq!(speed["passes"].as_array().unwrap().len(), 2);
        assert!(number(&speed["lowest"]) <= number(&speed["median"]) && number(&speed["lowest"]) > 0.0);
        assert!(number(&model["latency_ms"]["p50"]) <= number(&model["latency_ms"]["p95"]));
        assert!(number(&model["load_seconds"]) > 0.0 && number(&model["memory_mb"]) > 1.0);
    }
    let table = Run::of(host(folder.path()).args(args).args(["--task", "IndonesianGeneralSTS"])).unwrap();
    assert!(table.stdout.contains("mteb-host/hashing") && table.stdout.contains("kB per embedding"));
}

#[test]
fn a_model_that_does_not_encode_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["efficiency", "bm25", "--task", "IndonesianGeneralSTS"];
    let refused = Run::of(host(folder.path()).args(args)).unwrap();
    assert_eq!(refused.code, Some(2));
    assert_eq!(
        refused.stderr,
        "error: model bm25: expected a model that encodes texts, found one that ranks documents\n"
    );
}

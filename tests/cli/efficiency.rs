//! How fast and how large models are.

use mteb_host_tests::{Run, host};
use serde_json::Value;

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

//! Measures beside those of the reference: they stand behind its scores and change none.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};
use serde_json::Value;

/// A task of each type, and what is measured there besides.
const TASKS: [(&str, &[&str]); 5] = [
    ("IndonesianNewsTopic", &["f1_micro"]),
    ("IndonesianEmotions", &["f1_micro"]),
    ("IndonesianNewsClustering", &["nmi", "ari", "v_measure_batch_32"]),
    ("IndonesianNewsSummary", &["rouge1", "rouge2", "rougeL"]),
    ("IndonesianLawRetrieval", &["ndcg_exp_at_10"]),
];

fn run(folder: &Path, more: &[&str]) -> Run {
    let tasks: Vec<&str> = TASKS.iter().flat_map(|(task, _)| ["--task", task]).collect();
    let run = Run::of(host(folder).args(["run", "--quiet"]).args(tasks).args(more)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run
}

fn entry(folder: &Path, task: &str) -> Value {
    let path = folder.join("results/mteb-host__hashing/1").join(format!("{task}.json"));
    let file: Value =
        serde_json::from_str(&fs::read_to_string(path).unwrap().replace("NaN", "null")).unwrap();
    file["scores"].as_object().unwrap().values().next().unwrap()[0].clone()
}

#[test]
fn they_change_no_score_of_the_reference() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), &[]);
    let before: Vec<Value> = TASKS.iter().map(|(task, _)| entry(folder.path(), task)).collect();
    let said = run(folder.path(), &["--extra-measures", "--k-values", "7"]).stderr;
    assert_eq!(said.matches("its measures differ from those selected").count(), TASKS.len(), "{said}");
    for ((task, extra), before) in TASKS.iter().zip(&before) {
        let now = entry(folder.path(), task);
        for name in *extra {
            assert!(before[name].is_null() && now[name].is_number(), "{task}, {name}: {}", now[name]);
        }
        for (name, value) in before.as_object().unwrap().iter().filter(|(_, value)| value.is_number()) {
            assert_eq!(now[name], *value, "{task}, {name}");
        }
    }
    let law = entry(folder.path(), "IndonesianLawRetrieval");
    assert!(law["ndcg_at_7"].is_number() && law["ndcg_exp_at_7"].is_number(), "the cut that was asked for");
    assert_eq!(run(folder.path(), &[]).stderr, "", "a result with more measures stands");
}

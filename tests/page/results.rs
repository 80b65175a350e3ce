//! Result files of models that nobody ran, and the page that is made of them.

use std::fs;
use std::path::{Path, PathBuf};

use mteb_host_tests::{Run, host};
use serde_json::json;
use tempfile::TempDir;

/// Tasks, their types and splits, as the registries know them.
const TASKS: [(&str, &str); 4] =
    [("STS12", "test"), ("STSBenchmark", "test"), ("Banking77Classification", "test"), ("SciFact", "test")];

/// The views of the page, as its address names them.
pub const VIEWS: [&str; 9] = [
    "board",
    "tasks",
    "languages",
    "heat",
    "charts",
    "compare&models=org%2Fmodel-03&models=org%2Fmodel-07",
    "notes",
    "model&model=org%2Fmodel-03",
    "task&task=SciFact",
];

/// Writes the results of a model, and gives their folder.
pub fn write_model(root: &Path, folder: &str, name: &str, scores: [f64; 4]) {
    let folder = root.join("results").join(folder).join("1");
    fs::create_dir_all(&folder).unwrap();
    let meta = json!({ "name": name, "revision": "1", "n_parameters": 10_000_000.0 * (1.0 + 40.0 * scores[0]), "embed_dim": 384 });
    fs::write(folder.join("model_meta.json"), meta.to_string()).unwrap();
    for ((task, split), score) in TASKS.iter().zip(scores) {
        let entry = json!({ "hf_subset": "default", "languages": ["eng-Latn"], "main_score": score });
        let file = json!({
            "task_name": task, "dataset_revision": "r", "mteb_version": "2.0.0", "evaluation_time": 10.0,
            "scores": { *split: [entry] }
        });
        fs::write(folder.join(format!("{task}.json")), file.to_string()).unwrap();
    }
}

/// The page of the results below `root`.
pub fn page(root: &Path) -> PathBuf {
    let mut command = host(root);
    command.args(["report", "--output", "out"]);
    let run = Run::of(command.args(TASKS.iter().flat_map(|(task, _)| ["--task", task]))).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    root.join(run.stdout.trim())
}

/// A page of twelve models.
pub fn twelve() -> (TempDir, PathBuf) {
    let root = tempfile::tempdir().unwrap();
    for number in 0..12u32 {
        let base = 0.4 + f64::from(number) / 40.0;
        let bend = f64::from(number * 7 % 5) / 100.0;
        let name = format!("org/model-{number:02}");
        write_model(
            root.path(),
            &format!("org__model-{number:02}"),
            &name,
            [base, base + bend, base - bend, 0.9 - base],
        );
    }
    let page = page(root.path());
    (root, page)
}

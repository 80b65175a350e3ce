//! Tiny models of every kind of sentence-transformers, made once for all tests, the cards of their tasks, and what the reference scores them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use mteb_host_tests::{Run, copy_made, python, root};
use serde_json::Value;

const TASKS: [(&str, &str, &[&str]); 3] = [
    ("TinyRetrieval", "Retrieval", &["corpus", "queries", "qrels"]),
    ("TinyReranking", "Reranking", &["corpus", "queries", "qrels", "top_ranked"]),
    ("TinySTS", "STS", &["pairs"]),
];

/// The interpreter, and a folder in which the tiny models lie.
#[track_caller]
pub fn tiny_models() -> Option<(PathBuf, tempfile::TempDir)> {
    let python = python()?;
    let folder = tempfile::tempdir().unwrap();
    let script = root().join("tests/models/tiny_models.py");
    let make = |folder: &Path| {
        let run = Run::of(Command::new(&python).arg(script).arg(folder).env("HF_HUB_OFFLINE", "1")).unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    };
    copy_made("tiny-models", folder.path(), make).unwrap();
    Some((python, folder))
}

/// The interpreter, a folder with the tiny models and the cards of their tasks, and the scores that the reference gives them, by model
/// and task.
#[track_caller]
pub fn reference_scores() -> Option<(PathBuf, tempfile::TempDir, Value)> {
    let (python, folder) = tiny_models()?;
    write_cards(folder.path());
    let score = |scores: &Path| {
        let mut command = Command::new(&python);
        command.arg(root().join("tests/models/reference_scores.py")).arg(folder.path());
        let run = Run::of(command.env("HF_HUB_OFFLINE", "1")).unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        fs::write(scores.join("scores.json"), run.stdout.lines().last().unwrap()).unwrap();
    };
    let scores = tempfile::tempdir().unwrap();
    copy_made("reference-scores", scores.path(), score).unwrap();
    let scores = fs::read_to_string(scores.path().join("scores.json")).unwrap();
    Some((python, folder, serde_json::from_str(&scores).unwrap()))
}

/// The card of each task, with its files.
pub fn write_cards(folder: &Path) {
    let cards = folder.join("cards");
    for (name, task_type, parts) in TASKS {
        fs::create_dir_all(cards.join(name)).unwrap();
        let own =
            |part: &str| if part == "pairs" { "test.jsonl".to_owned() } else { format!("{part}.jsonl") };
        for part in parts {
            fs::copy(folder.join("data").join(format!("{part}.jsonl")), cards.join(name).join(own(part)))
                .unwrap();
        }
        let card = format!(
            "schema = 1\nname = \"{name}\"\ntype = \"{task_type}\"\ndescription = \"Made.\"\nlanguages = [\"eng-Latn\"]\n\
             [dataset]\npath = \"{name}\"\n"
        );
        fs::write(cards.join(format!("{name}.toml")), card).unwrap();
    }
}

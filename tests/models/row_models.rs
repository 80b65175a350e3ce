//! Sparse and multi-vector models of sentence-transformers, made with random weights, the latter in its own form, in both of PyLate,
//! and in that of Stanford's code: through `st:` they get the scores that the reference's evaluators give them, to 1e-6. Needs `MTEB_PYTHON`, an interpreter with sentence-transformers and mteb.

use std::fs;
use std::path::Path;
use std::process::Command;

use mteb_host_tests::{Run, host, host_binary, python, root};
use serde_json::Value;

use super::result_file;

const TASKS: [(&str, &str, &[&str]); 3] = [
    ("TinyRetrieval", "Retrieval", &["corpus", "queries", "qrels"]),
    ("TinyReranking", "Reranking", &["corpus", "queries", "qrels", "top_ranked"]),
    ("TinySTS", "STS", &["pairs"]),
];

/// What a script of this folder prints about `folder`.
fn script(python: &Path, name: &str, folder: &Path) -> String {
    let mut command = Command::new(python);
    command.arg(root().join("tests/models").join(name)).arg(folder).env("HF_HUB_OFFLINE", "1");
    let run = Run::of(&mut command).unwrap();
    assert_eq!(run.code, Some(0), "{name}: {}", run.stderr);
    run.stdout
}

/// The card of each task, with its files.
fn write_cards(folder: &Path) {
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

#[test]
fn sparse_and_multi_vector_models_get_the_scores_of_the_reference() {
    let Some(python) = python() else { return };
    host_binary();
    let folder = tempfile::tempdir().unwrap();
    script(&python, "tiny_models.py", folder.path());
    write_cards(folder.path());
    let expected: Value =
        serde_json::from_str(script(&python, "reference_scores.py", folder.path()).lines().last().unwrap())
            .unwrap();
    assert_eq!(expected.as_object().unwrap().len(), 6);
    for (one, other) in [("multi-vector", "multi-vector-mean"), ("multi-vector", "multi-vector-pylate")] {
        assert_ne!(expected[one], expected[other], "the mean, and queries of one length, make a difference");
    }
    for (kind, tasks) in expected.as_object().unwrap() {
        let home = tempfile::tempdir().unwrap();
        let mut command = host(home.path());
        command.args(["run", "--json", "--python"]).arg(&python);
        for task in tasks.as_object().unwrap().keys() {
            command.arg("--registry").arg(folder.path().join("cards").join(format!("{task}.toml")));
        }
        command.arg("--model").arg(format!("st:{}", folder.path().join(kind).display()));
        let run = Run::of(&mut command).unwrap();
        assert_eq!(run.code, Some(0), "{kind}: {}", run.stderr);
        for (task, expected) in tasks.as_object().unwrap() {
            let file = result_file(home.path(), task);
            let rows = if kind == "sparse" { "sparse" } else { "multi-vector" };
            assert_eq!(file["mteb_host"]["model"]["rows"], rows);
            let found = &file["scores"]["test"][0];
            let mut compared = 0;
            for (name, expected) in expected.as_object().unwrap() {
                let Some(expected) = expected.as_f64() else { continue };
                let found = found[name].as_f64().unwrap_or(f64::NAN);
                assert!(
                    (found - expected).abs() <= 1e-6,
                    "{kind}, {task}, {name}: {found} instead of {expected}"
                );
                compared += 1;
            }
            assert!(compared >= 6, "{kind}, {task}: {compared} scores");
        }
    }
}

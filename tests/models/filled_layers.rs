//! Models through `st:` whose files leave layers empty: transformers would make up numbers for them, so that each run had other scores.
//! Needs `MTEB_PYTHON`, an interpreter with sentence-transformers.

use std::path::Path;
use std::process::Command;

use mteb_host_tests::{Run, host, host_binary, root};

use super::tiny::tiny_models;

/// Reads each of the folders that it is given as a worker does, and prints what is said of it.
const READ: &str = r#"
import sys

sys.path.insert(0, sys.argv[1])
from mteb_host._worker.frames import Refused
from mteb_host._worker.library import load_sentence_transformers

for folder in sys.argv[2:]:
    ask = {"folder": folder, "model": folder, "revision": None, "device": "cpu", "dtype": "auto", "computes": ["f16", "bf16"]}
    try:
        load_sentence_transformers(ask | {"trust_remote_code": False, "max_tokens": None})
        print("nothing is refused")
    except Refused as error:
        print(error)
"#;

/// What is said of each model in `folder`, by one interpreter.
fn said_of(folder: &Path, python: &Path, models: &[&str]) -> Vec<String> {
    let mut command = Command::new(python);
    command.args(["-c", READ]).arg(root().join("python")).args(models).current_dir(folder);
    command.env("HF_HUB_OFFLINE", "1").env("PYTHONDONTWRITEBYTECODE", "1");
    let run = Run::of(&mut command).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.stdout.lines().map(str::to_owned).collect()
}

/// Scores the model in `folder` on pairs of texts.
fn run(folder: &Path, python: &Path, model: &str) -> Run {
    let home = tempfile::tempdir().unwrap();
    let mut command = host(home.path());
    command.args(["run", "--registry", "indonesia", "--task", "IndonesianGeneralSTS", "--limit", "20"]);
    command.args(["--device", "cpu", "--model", &format!("st:{}", folder.join(model).display()), "--python"]);
    Run::of(command.arg(python)).unwrap()
}

#[test]
fn a_layer_that_no_tensor_fills_is_refused_by_name() {
    let Some((python, folder)) = tiny_models() else { return };
    host_binary();
    let folder = folder.path().join("changed");
    let lacking = "every layer of BertModel: `encoder.layer.1.output.dense.weight`, found none";
    let expected = [
        ("renamed", "found `module.embeddings.LayerNorm.bias`"),
        ("lacking", lacking),
        (
            "whole-numbers",
            "because the tensor `encoder.layer.0.output.dense.weight` has numbers of the format I8",
        ),
        ("no-head", "every layer of BertForSequenceClassification: `classifier.bias`, `classifier.weight`"),
        ("no-used-pooler", "`bert.pooler.dense.bias`, `bert.pooler.dense.weight`, found none"),
        // Rows are made of those of tokens, and the pooler is of no use.
        ("no-pooler", "nothing is refused"),
    ];
    let said = said_of(&folder, &python, &expected.map(|(model, _)| model));
    assert_eq!(said.len(), expected.len(), "{said:?}");
    for ((model, expected), said) in expected.iter().zip(said) {
        assert!(said.contains(expected), "{model}: {said}");
    }
    let refused = run(&folder, &python, "lacking");
    assert_ne!(refused.code, Some(0), "{}", refused.stdout);
    assert!(refused.stderr.contains(lacking), "{}", refused.stderr);
    let scored = run(&folder, &python, "no-pooler");
    assert_eq!(scored.code, Some(0), "{}", scored.stderr);
}

//! Models through `st:` whose files leave layers empty: transformers would make up numbers for them, so that each run had other scores.
//! Needs `MTEB_PYTHON`, an interpreter with sentence-transformers.

use std::path::Path;
use std::process::Command;

use mteb_host_tests::{Run, host, host_binary, python};

/// Makes, in the folder that it is given, a BERT and a cross-encoder, each whole and with a part changed or left out.
const MODELS: &str = r#"
import sys
from pathlib import Path

sys.path.insert(0, "TESTS")
import torch
from safetensors.torch import load_file, save_file
from tiny_models import backbone, scorer
from transformers import BertModel

folder = Path(sys.argv[1])

def model(name, head, change):
    file = Path(backbone(folder / name, head, plain_norms=True)) / "model.safetensors"
    save_file(change(load_file(file)), file, metadata={"format": "pt"})

def without(part):
    return lambda tensors: {name: tensor for name, tensor in tensors.items() if part not in name}

def whole_numbers(tensors):
    name = "encoder.layer.0.output.dense.weight"
    return tensors | {name: (tensors[name] * 50).to(torch.int8)}

model("no-pooler", BertModel, without("pooler"))
model("renamed", BertModel, lambda tensors: {"module." + name: tensor for name, tensor in tensors.items()})
model("lacking", BertModel, without("layer.1.output.dense.weight"))
model("whole-numbers", BertModel, whole_numbers)
model("no-head", scorer, without("classifier"))
model("no-used-pooler", scorer, without("pooler"))
"#;

/// Scores the model in `folder`, on pairs of texts or on ranked documents.
fn run(folder: &Path, python: &Path, model: &str, task: &str) -> Run {
    let home = tempfile::tempdir().unwrap();
    let mut command = host(home.path());
    command.args(["run", "--registry", "indonesia", "--task", task, "--limit", "20", "--device", "cpu"]);
    command.args(["--model", &format!("st:{}", folder.join(model).display()), "--python"]).arg(python);
    Run::of(&mut command).unwrap()
}

#[test]
fn a_layer_that_no_tensor_fills_is_refused_by_name() {
    let Some(python) = python() else { return };
    host_binary();
    let folder = tempfile::tempdir().unwrap();
    let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/models");
    let mut made = Command::new(&python);
    made.args(["-c", &MODELS.replace("TESTS", tests)]).arg(folder.path()).env("HF_HUB_OFFLINE", "1");
    let made = Run::of(made.env("PYTHONDONTWRITEBYTECODE", "1")).unwrap();
    assert_eq!(made.code, Some(0), "{}", made.stderr);

    let pairs = "IndonesianGeneralSTS";
    let ranked = "IndonesianHowToReranking";
    for (model, task, expected) in [
        ("renamed", pairs, "found `module.embeddings.LayerNorm.bias`"),
        ("lacking", pairs, "every layer of BertModel: `encoder.layer.1.output.dense.weight`, found none"),
        (
            "whole-numbers",
            pairs,
            "because the tensor `encoder.layer.0.output.dense.weight` has numbers of the format I8",
        ),
        (
            "no-head",
            ranked,
            "every layer of BertForSequenceClassification: `classifier.bias`, `classifier.weight`",
        ),
        ("no-used-pooler", ranked, "`bert.pooler.dense.bias`, `bert.pooler.dense.weight`, found none"),
    ] {
        let refused = run(folder.path(), &python, model, task);
        assert_ne!(refused.code, Some(0), "{model}: {}", refused.stdout);
        assert!(refused.stderr.contains(expected), "{model}: {}", refused.stderr);
    }
    // Rows are made of those of tokens, and the pooler is of no use.
    let scored = run(folder.path(), &python, "no-pooler", pairs);
    assert_eq!(scored.code, Some(0), "{}", scored.stderr);
}

//! The number format of models in Python: what the processor only emulates is refused or computed in float32, and results name what ran.
//! Needs `MTEB_PYTHON`, an interpreter with sentence-transformers.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host, host_binary, python};
use mteb_system::machine::computes;

use super::result_file;
use super::tiny::tiny_models;

const TASK: &str = "IndonesianGeneralSTS";

fn run(folder: &Path, python: &Path, arguments: &[&str]) -> Run {
    host_binary();
    let mut command = host(folder);
    command.args(["run", "--registry", "indonesia", "--json", "--task", TASK, "--device", "cpu", "--python"]);
    Run::of(command.arg(python).args(arguments)).unwrap()
}

/// The number format that the result of a run names.
fn named(folder: &Path, run: &Run) -> String {
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    result_file(folder, TASK)["mteb_host"]["model"]["dtype"].as_str().unwrap().to_owned()
}

#[test]
fn what_the_processor_emulates_is_computed_in_float32_or_refused() {
    let Some((python, folder)) = tiny_models() else { return };
    let model = format!("st:{}", folder.path().join("half").display());

    let found = run(folder.path(), &python, &["--model", &model]);
    let own = if computes("f16") { "f16" } else { "f32" };
    assert_eq!(named(folder.path(), &found), own, "the files are in f16");

    for asked in ["f16", "bf16"] {
        let home = tempfile::tempdir().unwrap();
        let found = run(home.path(), &python, &["--model", &model, "--dtype", asked]);
        if computes(asked) {
            assert_eq!(named(home.path(), &found), asked);
        } else {
            let refusal = format!(
                "expected a dtype that this processor computes in, found: {asked}, which it emulates more slowly than f32; run \
                 with `--dtype f32`, or on a GPU"
            );
            assert!(
                found.code == Some(42) && found.stderr.contains(&refusal),
                "{:?} {}",
                found.code,
                found.stderr
            );
        }
    }
}

#[test]
fn code_of_ones_own_computes_in_the_format_of_its_module_or_nobody_knows() {
    let Some(python) = python() else { return };
    let code = "import torch\nclass Plain:\n    def encode(self, texts):\n        return [[1.0, float(len(text))] for text in texts]\n\
                class Wraps(Plain):\n    def __init__(self):\n        self.model = torch.nn.Linear(2, 2, dtype=torch.bfloat16)\n";
    for (name, format) in [("Plain", ""), ("Wraps", "bf16")] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("mine.py"), code).unwrap();
        let model = format!("python:mine.py:{name}");
        assert_eq!(named(folder.path(), &run(folder.path(), &python, &["--model", &model])), format);
        let said = run(folder.path(), &python, &["--model", &model, "--dtype", "f16"]).stderr;
        let found = if format.is_empty() { "does not say in which" } else { "computes in bf16" };
        let refusal =
            format!("expected a model that computes in f16, found one that {found}; leave out `--dtype`");
        assert!(said.contains(&refusal), "{said}");
    }
}

//! Models in Python by their names: what is near one that leads nowhere, layers that a model's files leave
//! empty, and number formats that the processor only emulates.

use std::fs;
use std::path::Path;
use std::process::Command;

use mteb_host_tests::{Run, faulty_plugin, host, host_binary, python, root};
use mteb_system::machine::computes;

use super::live_models::lines;
use super::python_models::python_and_model;
use super::result_file;
use super::tiny::tiny_models;

const LETTERS: &str = "
class Letters:
    def encode(self, texts):
        return [[1.0] + [float(text.count(letter)) for letter in 'aeiou'] for text in texts]
class Pairs:
    def predict(self, pairs):
        return [float(len(query) - len(document)) for query, document in pairs]
class Terms:
    rows, dimension = 'sparse', 128
    def encode(self, texts):
        return [{ord(letter) % 128: 1.0 for letter in text} for text in texts]
";

fn run_host(folder: &Path, arguments: &[&str]) -> Run {
    host_binary();
    fs::write(folder.join("letters.py"), LETTERS).unwrap();
    let mut command = host(folder);
    Run::of(command.args(arguments).env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX")).unwrap()
}

fn refuse_model(folder: &Path, model: &str, code: i32) -> String {
    let task = ["--registry", "indonesia", "--task", "IndonesianGeneralSTS"];
    let run = run_host(folder, &[&["run", "--quiet", "--offline", "--model", model], &task[..]].concat());
    assert_eq!(run.code, Some(code), "{model}: {}", run.stderr);
    run.stderr
}

#[test]
fn a_file_a_class_and_a_style_near_the_one_that_is_named_are_told() {
    let folder = tempfile::tempdir().unwrap();
    for (model, code, said) in [
        (
            "python:leters.py:Letters",
            42,
            "leters.py: cannot read the file: No such file or directory (near it: letters.py)",
        ),
        (
            "python:letters.py:leters",
            42,
            "letters.py: expected `leters` in this file, found no such name (near it: Letters)",
        ),
        ("pyton:letters.py:Letters", 2, "found: pyton:letters.py:Letters (near it: `python:`)"),
        (
            "ts:m",
            2,
            "expected a model that a plugin provides, or a style before `:`, found: ts:m (near it: `st:`)",
        ),
    ] {
        let found = refuse_model(folder.path(), model, code);
        assert!(found.contains(said), "{found}");
    }
}

#[test]
fn a_folder_that_is_not_there_is_no_name_on_the_hub() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("models/minilm")).unwrap();
    let expected =
        "expected a folder with a model, or one on the hub as `organisation/name`, found neither: ";
    for (model, said) in [
        ("st:./nodir", "st:./nodir\n"),
        ("st:model", "st:model (near it: models)\n"),
        ("st:./models/mnilm", "st:./models/mnilm (near it: ./models/minilm)\n"),
    ] {
        assert_eq!(refuse_model(folder.path(), model, 2), format!("error: {expected}{said}"));
    }
    let of_hub = refuse_model(folder.path(), "st:models/mnilm", 1);
    assert!(of_hub.contains("(near it: models/minilm)"), "{of_hub}");
}

#[test]
fn the_plugin_of_models_in_python_conforms_where_they_work() {
    let folder = tempfile::tempdir().unwrap();
    let library = faulty_plugin("python_encoder", folder.path()).unwrap();
    let check = |model: &str, more: &[&str]| {
        let arguments = ["plugins", "check", library.to_str().unwrap(), "--model", model];
        run_host(folder.path(), &[&arguments, more].concat())
    };
    for name in ["Letters", "Pairs", "Terms"] {
        let run = check(&format!("python:letters.py:{name}"), &[]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{name}");
    }
    let none = check("python:letters.py:Letters", &["--python", "/no/python"]);
    assert!(none.code == Some(2) && none.stderr.contains("found none: /no/python"), "{}", none.stderr);
    let Some((python, model)) = python_and_model() else { return };
    let more = ["--python", python.to_str().unwrap(), "--plugin-timeout", "600"];
    let run = check(&format!("st:{}", model.display()), &more);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn two_objects_without_a_revision_share_neither_results_nor_a_row() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
def weighted(weight):
    return lambda texts: [[weight, float(len(text))] for text in texts]

TASKS = ['IndonesianGeneralSTS', 'IndonesianSocialSTS']
one, other = run(weighted(1.0), TASKS[0]), run(weighted(2.0), TASKS[1])
print(one.revision == other.revision, one.folder == other.folder)
print([found.tasks for found in mteb_host.load_results()] in ([[TASKS[0]], [TASKS[1]]], [[TASKS[1]], [TASKS[0]]]))
board = mteb_host.leaderboard(task=TASKS)
print([(row['mean_task'], sum(score is not None for score in row['tasks'].values())) for row in board])
again = run(weighted(1.0), TASKS[0])
print(again.folder == one.folder, state(again), one.revision.startswith('unnamed-'))

class Held:
    def __init__(self, weight):
        self._weight = weight
    def encode(self, texts):
        return rows(texts)

print(len({run(Held(weight)).revision for weight in (1, 1, 2)}))
before = run(Held(1)).revision
class Held(Held):
    def encode(self, texts):
        return [row[1:] for row in rows(texts)]
print(run(Held(1)).revision == before)
";
    let (found, _) = lines(folder.path(), program);
    let expected = ["False False", "True", "[(None, 1), (None, 1)]", "True scored True", "2", "False"]
        .map(str::to_owned);
    assert_eq!(found, expected);
}

#[test]
fn the_pairs_of_a_reranker_are_known_from_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
class Pairs:
    def predict(self, pairs):
        return [float(len(query) + len(document)) for query, document in pairs]

run(Pairs(), 'IndonesianHowToReranking', quiet=False)
";
    let (_, said) = lines(folder.path(), program);
    let counts: Vec<&str> = said.lines().filter(|line| line.contains(" units, ")).collect();
    // 20 candidates for each of 150 queries.
    assert!(!counts.is_empty() && counts.iter().all(|line| line.contains("/3000 texts")), "{said}");
    assert!(
        counts.last().is_some_and(|line| line.starts_with("1/1 units, 100 %, 3000/3000 texts")),
        "{said}"
    );
}

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
fn run_filled(folder: &Path, python: &Path, model: &str) -> Run {
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
    let refused = run_filled(&folder, &python, "lacking");
    assert_ne!(refused.code, Some(0), "{}", refused.stdout);
    assert!(refused.stderr.contains(lacking), "{}", refused.stderr);
    let scored = run_filled(&folder, &python, "no-pooler");
    assert_eq!(scored.code, Some(0), "{}", scored.stderr);
}

const TASK: &str = "IndonesianGeneralSTS";

fn run_format(folder: &Path, python: &Path, arguments: &[&str]) -> Run {
    host_binary();
    let mut command = host(folder);
    command.args(["run", "--registry", "indonesia", "--json", "--task", TASK, "--device", "cpu", "--python"]);
    Run::of(command.arg(python).args(arguments)).unwrap()
}

/// The number format that the result of a run names.
fn named_format(folder: &Path, run: &Run) -> String {
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    result_file(folder, TASK)["mteb_host"]["model"]["dtype"].as_str().unwrap().to_owned()
}

#[test]
fn what_the_processor_emulates_is_computed_in_float32_or_refused() {
    let Some((python, folder)) = tiny_models() else { return };
    let model = format!("st:{}", folder.path().join("half").display());

    let found = run_format(folder.path(), &python, &["--model", &model]);
    let own = if computes("f16") { "f16" } else { "f32" };
    assert_eq!(named_format(folder.path(), &found), own, "the files are in f16");

    for asked in ["f16", "bf16"] {
        let home = tempfile::tempdir().unwrap();
        let found = run_format(home.path(), &python, &["--model", &model, "--dtype", asked]);
        if computes(asked) {
            assert_eq!(named_format(home.path(), &found), asked);
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
        assert_eq!(
            named_format(folder.path(), &run_format(folder.path(), &python, &["--model", &model])),
            format
        );
        let said = run_format(folder.path(), &python, &["--model", &model, "--dtype", "f16"]).stderr;
        let found = if format.is_empty() { "does not say in which" } else { "computes in bf16" };
        let refusal =
            format!("expected a model that computes in f16, found one that {found}; leave out `--dtype`");
        assert!(said.contains(&refusal), "{said}");
    }
}

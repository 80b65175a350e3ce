//! Models in Python by their names: what is near one that leads nowhere, and what `plugins check` says of one that works.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, faulty_plugin, host, host_binary};

use super::python_models::python_and_model;

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

fn asked(folder: &Path, arguments: &[&str]) -> Run {
    host_binary();
    fs::write(folder.join("letters.py"), LETTERS).unwrap();
    let mut command = host(folder);
    Run::of(command.args(arguments).env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX")).unwrap()
}

fn refused(folder: &Path, model: &str, code: i32) -> String {
    let task = ["--registry", "indonesia", "--task", "IndonesianGeneralSTS"];
    let run = asked(folder, &[&["run", "--quiet", "--offline", "--model", model], &task[..]].concat());
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
        let found = refused(folder.path(), model, code);
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
        assert_eq!(refused(folder.path(), model, 2), format!("error: {expected}{said}"));
    }
    let of_hub = refused(folder.path(), "st:models/mnilm", 1);
    assert!(of_hub.contains("(near it: models/minilm)"), "{of_hub}");
}

#[test]
fn the_plugin_of_models_in_python_conforms_where_they_work() {
    let folder = tempfile::tempdir().unwrap();
    let library = faulty_plugin("python_encoder", folder.path()).unwrap();
    let check = |model: &str, more: &[&str]| {
        let arguments = ["plugins", "check", library.to_str().unwrap(), "--model", model];
        asked(folder.path(), &[&arguments, more].concat())
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

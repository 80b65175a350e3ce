//! Models in Python by their names: what is near one that leads nowhere, what `plugins check` says
//! of one that works, and objects without a name or a revision of their own.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, faulty_plugin, host, host_binary};

use super::live_models::lines;
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

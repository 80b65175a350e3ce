//! Models in folders of the user's own: one model however its folder is spelt, another one once its content is, and what the user
//! calls it where that is said. The library is a stand-in, so that any interpreter does.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use mteb_host_tests::{Run, host, host_binary};
use serde_json::Value;

use super::identity::{LIBRARY, PAIRS, state};
use super::new_task::Task;

const TORCH: &str = "float32, bfloat16, float16 = 'f32', 'bf16', 'f16'\n";

/// A task beside the model `model`, and the library that runs it.
fn task() -> Task {
    host_binary();
    let task = Task::pairs(PAIRS);
    task.write("packages/sentence_transformers.py", LIBRARY);
    task.write("packages/torch.py", TORCH);
    task.write("model/model.safetensors", "weights");
    task.write("model/modules.json", "[]");
    task.write("model/1_Pooling/config.json", "{\"first\": 1.0}");
    task
}

fn run_in(folder: &Path, task: &Task, model: &str, more: &[&str]) -> Run {
    let card = task.folder().join("card.toml");
    let results = task.folder().join("results");
    let mut command = host(task.folder());
    command.current_dir(folder).args(["run", "--json", "--model", model, "--registry"]).arg(card);
    command.arg("--output-folder").arg(results).args(more);
    command.env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX");
    Run::of(command.env("PYTHONPATH", task.folder().join("packages"))).unwrap()
}

fn run(task: &Task, model: &str, more: &[&str]) -> Run {
    run_in(task.folder(), task, model, more)
}

/// What became of the only unit of a run that succeeds.
fn state_of(run: &Run) -> String {
    assert_eq!(run.code, Some(0), "{}\n{}", run.stdout, run.stderr);
    state(run)
}

/// Names of what lies in the folder `name` of the task's folder, sorted.
fn names(task: &Task, name: &str) -> Vec<String> {
    let entries = fs::read_dir(task.folder().join(name)).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn a_folder_is_one_model_however_it_is_spelt() {
    let task = task();
    symlink(task.folder().join("model"), task.folder().join("newest")).unwrap();
    let absolute = task.folder().join("model").display().to_string();
    assert_eq!(state_of(&run(&task, "st:model", &[])), "scored");
    for model in ["./model", "model/", &absolute, "newest", "packages/../model"] {
        let again = run(&task, &format!("st:{model}"), &[]);
        assert_eq!((state_of(&again).as_str(), again.stderr.as_str()), ("found", ""), "{model}");
    }
    let inside = run_in(&task.folder().join("model"), &task, "st:.", &[]);
    assert_eq!(state_of(&inside), "found", "the folder in which one stands");
    assert_eq!(names(&task, "results"), ["local__model"]);
    let place = task.folder().display().to_string();
    for file in files(&task.folder().join("results")) {
        let text = String::from_utf8_lossy(&fs::read(&file).unwrap()).into_owned();
        assert!(!text.contains(&place), "{}: {text}", file.display());
    }
}

#[test]
fn whatever_changes_in_a_folder_makes_another_revision_and_both_stay() {
    let task = task();
    let revisions = |count: usize| {
        let found = names(&task, "results/local__model");
        assert_eq!(found.len(), count, "{found:?}");
        assert!(found.iter().all(|name| name.starts_with("content-")), "{found:?}");
    };
    assert_eq!(state_of(&run(&task, "st:model", &[])), "scored");
    task.write("model/README.md", "what it is");
    assert_eq!(state_of(&run(&task, "st:model", &[])), "found");
    revisions(1);
    for (count, (name, text)) in [
        ("model/1_Pooling/config.json", "{\"first\": 9.0}"),
        ("model/config_sentence_transformers.json", "{\"prompts\": {\"query\": \"q: \"}}"),
        ("model/2_Dense/model.safetensors", "more weights"),
        ("model/tokenizer", "pieces"),
    ]
    .into_iter()
    .enumerate()
    {
        task.write(name, text);
        assert_eq!(state_of(&run(&task, "st:model", &[])), "scored", "{name}");
        revisions(count + 2);
    }
    task.write("model/1_Pooling/config.json", "{\"first\": 1.0}");
    fs::remove_file(task.folder().join("model/config_sentence_transformers.json")).unwrap();
    fs::remove_dir_all(task.folder().join("model/2_Dense")).unwrap();
    fs::remove_file(task.folder().join("model/tokenizer")).unwrap();
    assert_eq!(state_of(&run(&task, "st:model", &[])), "found", "the first one again");
}

#[test]
fn the_users_name_and_revision_count_and_the_content_is_still_looked_at() {
    let task = task();
    let called = ["--name", "lab/own", "--revision", "step-500"];
    assert_eq!(state_of(&run(&task, "st:model", &called)), "scored");
    assert_eq!(state_of(&run(&task, "st:./model/", &called)), "found");
    assert!(task.folder().join("results/lab__own/step-500/T.json").is_file());
    let meta = fs::read_to_string(task.folder().join("results/lab__own/step-500/model_meta.json")).unwrap();
    let meta: Value = serde_json::from_str(&meta).unwrap();
    assert_eq!((&meta["name"], &meta["revision"]), (&"lab/own".into(), &"step-500".into()));
    task.write("model/1_Pooling/config.json", "{\"first\": 9.0}");
    let again = run(&task, "st:model", &called);
    assert_eq!(state_of(&again), "scored");
    assert_eq!(again.stderr, "T: will be scored again: model changed: files beside the weights\n");
    let named = run(&task, "st:model", &["--name", "lab/own"]);
    assert_eq!(state_of(&named), "scored");
    assert!(names(&task, "results/lab__own")[0].starts_with("content-"));
}

#[test]
fn an_adapter_whose_base_lies_elsewhere_counts_as_done_only_with_a_revision() {
    let task = task();
    task.write("model/adapter_config.json", "{\"base_model_name_or_path\": \"org/base\"}");
    assert_eq!([(); 2].map(|()| state_of(&run(&task, "st:model", &[]))), ["scored", "scored"]);
    let with = ["--revision", "1"];
    assert_eq!([(); 2].map(|()| state_of(&run(&task, "st:model", &with))), ["scored", "found"]);
}

#[test]
fn a_name_that_is_none_or_of_a_model_that_has_one_is_refused() {
    let task = task();
    for (model, name, said) in [
        ("st:model", "own", "`--name`: expected a name such as `organisation/model`"),
        ("st:model", "lab/../own", "`--name`: expected a name such as `organisation/model`"),
        (
            "hashing",
            "lab/own",
            "expected `--name` only for a model in a folder or in Python, found it with hashing",
        ),
        ("bm25", "lab/own", "does not support `--name`"),
    ] {
        let refused = run(&task, model, &["--name", name]);
        assert_eq!(refused.code, Some(2), "{}", refused.stderr);
        assert!(refused.stderr.contains(said), "{}", refused.stderr);
    }
    assert!(!task.folder().join("results").exists());
}

#[test]
fn the_name_in_a_readme_is_proposed_and_not_used() {
    let task = task();
    task.write("model/README.md", "---\nbase_model: org/base\nmodel-index:\n- name: lab/own\n---\n# Own\n");
    let first = run(&task, "st:model", &[]);
    assert_eq!(state_of(&first), "scored");
    assert!(first.stderr.contains("`--name lab/own` uses that name in results"), "{}", first.stderr);
    assert_eq!(names(&task, "results"), ["local__model"]);
    let named = run(&task, "st:model", &["--name", "lab/own"]);
    assert!(!named.stderr.contains("--name"), "{}", named.stderr);
}

#[test]
fn results_of_before_are_said_to_be_those_of_another_model() {
    let task = task();
    assert_eq!(state_of(&run(&task, "st:model", &[])), "scored");
    let revision = names(&task, "results/local__model").remove(0);
    let now = task.folder().join("results/local__model").join(revision);
    // As they were kept before: under the name as it was typed, without a revision.
    let before = task.folder().join("results/.__model/no_revision_available");
    fs::create_dir_all(&before).unwrap();
    let text = fs::read_to_string(now.join("T.json")).unwrap().replace("local/model", "./model");
    fs::write(before.join("T.json"), &text).unwrap();
    let said = run(&task, "st:model", &[]);
    assert_eq!(state_of(&said), "found");
    assert!(
        said.stderr.contains(
            "earlier results of this model folder, named `./model`, count as those of another model"
        ),
        "{}",
        said.stderr
    );
    assert_eq!(fs::read_to_string(before.join("T.json")).unwrap(), text, "it stays as it is");
    let mut board = host(task.folder());
    board.args(["leaderboard", "--results", "results", "--registry", "card.toml", "--json"]);
    let board = Run::of(&mut board).unwrap();
    assert!(
        board.code == Some(0) && board.stdout.contains("\"./model\""),
        "{}\n{}",
        board.stdout,
        board.stderr
    );
}

#[test]
fn code_of_ones_own_takes_a_name_and_a_revision_which_makes_its_scores_last() {
    let task = task();
    let code = "class Own:\n    def encode(self, texts):\n        return [[1.0, float(len(text)), float(text.count('a'))] for text in texts]\n";
    task.write("mine.py", code);
    let states = |more: &[&str]| {
        [run(&task, "python:mine.py:Own", more), run(&task, "python:./mine.py:Own", more)]
            .map(|run| state_of(&run))
    };
    assert_eq!(states(&[]), ["scored", "scored"], "nobody knows what else it depends on");
    assert_eq!(states(&["--revision", "1"]), ["scored", "found"]);
    assert_eq!(states(&["--name", "lab/own", "--revision", "1"]), ["scored", "found"]);
    assert!(task.folder().join("results/lab__own/1/T.json").is_file());
}

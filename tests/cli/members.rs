//! Tasks that are the mean of others: what is said of their members, once.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};
use serde_json::Value;

const PAIRS: &str = "sentence1,sentence2,score\na b,a b,5\na b,c d,0\na b,a c,3\n";

/// A registry of a task and of the mean of that task.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let card = |name: &str, more: &str| {
        let head = "type = \"STS\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]";
        let text = format!("schema = 1\nname = \"{name}\"\n{head}\n{more}\n");
        fs::create_dir_all(folder.path().join("cards")).unwrap();
        fs::write(folder.path().join("cards").join(format!("{name}.toml")), text).unwrap();
    };
    card("One", "[dataset]\npath = \"pairs.csv\"");
    card("Mean", "members = [\"One\"]");
    fs::write(folder.path().join("cards/pairs.csv"), PAIRS).unwrap();
    let registry = "schema = 1\nname = \"mine\"\ncards = [\"cards\"]\n";
    fs::write(folder.path().join("mine.toml"), registry).unwrap();
    folder
}

fn run(folder: &Path, command: &str, more: &[&str]) -> Run {
    Run::of(host(folder).args([command, "--registry", "mine.toml"]).args(more)).unwrap()
}

/// The state of the only unit of each task.
fn states(run: &Run) -> Vec<(String, String)> {
    let report = run.json().unwrap_or_else(|_| panic!("{}", run.stderr));
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let tasks = report["tasks"].as_array().unwrap().iter();
    tasks.map(|task| (text(&task["task"]), text(&task["units"][0]["state"]))).collect()
}

#[test]
fn a_task_that_is_scored_alone_and_as_a_member_was_scored_by_this_run() {
    let folder = folder();
    let first = run(folder.path(), "run", &["--json"]);
    for (task, state) in states(&first) {
        assert_eq!(state, "scored", "{task}");
    }
}

#[test]
fn what_changed_of_a_member_is_said_once_and_only_where_it_is_scored_again() {
    let folder = folder();
    assert_eq!(run(folder.path(), "run", &["--quiet", "--update-lock"]).code, Some(0));
    fs::write(folder.path().join("cards/pairs.csv"), PAIRS.replace("c d,0", "c d,1")).unwrap();
    let refused = run(folder.path(), "run", &["--quiet"]);
    assert_eq!(refused.code, Some(1));
    assert!(!refused.stderr.contains("scored again"), "{}", refused.stderr);
    let taken = run(folder.path(), "run", &["--quiet", "--update-lock"]);
    assert_eq!(taken.stderr, "One: to be scored again, since data changed: pairs.csv\n");
}

#[test]
fn a_mean_on_a_board_is_held_to_the_data_of_its_members() {
    let folder = folder();
    assert_eq!(run(folder.path(), "run", &["--quiet"]).code, Some(0));
    let board = || run(folder.path(), "leaderboard", &["--task", "Mean"]).stderr;
    assert!(!board().contains("not of the data of now"), "{}", board());
    fs::write(folder.path().join("cards/pairs.csv"), PAIRS.replace("c d,0", "c d,1")).unwrap();
    let expected =
        "Mean: results are counted that are not of the data of now (its member One: data changed: pairs.csv)";
    assert!(board().contains(expected), "{}", board());
}

#[test]
fn a_member_is_fetched_once() {
    let folder = folder();
    let fetch = run(folder.path(), "fetch", &[]);
    assert_eq!(fetch.stdout.lines().filter(|line| line.starts_with("One: ")).count(), 1, "{}", fetch.stdout);
}

#[test]
fn a_mean_whose_members_are_as_they_were_is_left_as_it_is() {
    let folder = folder();
    let first = run(folder.path(), "run", &["--json"]);
    let file = folder.path().join("results/mteb-host__hashing/1/Mean.json");
    let written = fs::read(&file).unwrap_or_else(|_| panic!("{}", first.stderr));
    let again = run(folder.path(), "run", &["--json"]);
    for (task, state) in states(&again) {
        assert_eq!(state, "found", "{task}");
    }
    assert_eq!(run(folder.path(), "run", &["--quiet", "--overwrite", "never"]).code, Some(0));
    assert_eq!(fs::read(&file).unwrap(), written);
}

#[test]
fn a_mean_takes_each_task_once_and_tasks_of_its_own_measure_alone() {
    let folder = folder();
    let mean = folder.path().join("cards/Mean.toml");
    let twice = fs::read_to_string(&mean).unwrap().replace("[\"One\"]", "[\"One\", \"One\"]");
    fs::write(&mean, twice).unwrap();
    let run = Run::of(host(folder.path()).args(["validate", "mine.toml"])).unwrap();
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("expected each task once, found again: One"), "{}", run.stderr);
    let other = fs::read_to_string(&mean).unwrap().replace("[\"One\", \"One\"]", "[\"One\"]");
    fs::write(&mean, other.replace("type = \"STS\"", "type = \"STS\"\nmain_score = \"pearson\"")).unwrap();
    let run = Run::of(host(folder.path()).args(["validate", "mine.toml"])).unwrap();
    let expected =
        "expected a task of the type STS by pearson, as the mean, found: One, STS by cosine_spearman";
    assert!(run.stderr.contains(expected), "{}", run.stderr);
}

//! Tasks that are the mean of others: what is said of their members, once.

use std::fs;
use std::os::unix::fs::symlink;
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
    assert!(!refused.stderr.contains("will be scored again"), "{}", refused.stderr);
    let taken = run(folder.path(), "run", &["--quiet", "--update-lock"]);
    assert_eq!(taken.stderr, "One: will be scored again: data changed: pairs.csv\n");
}

#[test]
fn a_mean_on_a_board_is_held_to_the_data_of_its_members() {
    let folder = folder();
    assert_eq!(run(folder.path(), "run", &["--quiet"]).code, Some(0));
    let board = || run(folder.path(), "leaderboard", &["--task", "Mean"]).stderr;
    assert!(!board().contains("not from the current data"), "{}", board());
    fs::write(folder.path().join("cards/pairs.csv"), PAIRS.replace("c d,0", "c d,1")).unwrap();
    let expected = "Mean: results are counted that are not from the current data (its member One: data changed: pairs.csv)";
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
        "expected a task of the type STS by pearson, like the mean, found: One, STS by cosine_spearman";
    assert!(run.stderr.contains(expected), "{}", run.stderr);
}

/// A folder with a second task, of which the mean is, too, and results of two models.
fn scored_mean() -> tempfile::TempDir {
    let folder = folder();
    let cards = folder.path().join("cards");
    let one = fs::read_to_string(cards.join("One.toml")).unwrap();
    fs::write(cards.join("Two.toml"), one.replace("\"One\"", "\"Two\"").replace("pairs.csv", "others.csv"))
        .unwrap();
    fs::write(cards.join("others.csv"), PAIRS.replace("a c,3", "a c,0")).unwrap();
    write_members(folder.path(), "[\"One\", \"Two\"]");
    for model in ["hashing", "random"] {
        let run = run(folder.path(), "run", &["--quiet", "--model", model]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    }
    folder
}

fn write_members(folder: &Path, members: &str) {
    let mean = folder.join("cards/Mean.toml");
    let text = fs::read_to_string(&mean).unwrap();
    let (head, _) = text.split_once("members").unwrap();
    fs::write(&mean, format!("{head}members = {members}\n")).unwrap();
}

const MODELS: [&str; 2] = ["mteb-host/hashing", "mteb/baseline-random-encoder"];

#[test]
fn a_mean_of_other_members_is_another_mean() {
    let folder = scored_mean();
    write_members(folder.path(), "[\"One\"]");
    let expected = "Mean: results are counted that are not from the current data (options changed: members); \
                    `run` scores it again";
    for command in ["leaderboard", "report"] {
        let said = run(folder.path(), command, &["--task", "Mean"]).stderr;
        assert_eq!(said, format!("warning: {expected}\n"), "{command}");
    }
    let board = run(folder.path(), "leaderboard", &["--task", "Mean"]).stdout;
    assert!(board.contains("†"), "{board}");
    let compared =
        Run::of(host(folder.path()).args(["compare", MODELS[0], MODELS[1], "--registry", "mine.toml"]));
    let compared = compared.unwrap().stdout;
    assert_eq!(
        compared.matches("not from the current data (options changed: members)").count(),
        2,
        "{compared}"
    );
    let never = run(folder.path(), "run", &["--quiet", "--overwrite", "never"]);
    assert_eq!(never.code, Some(1), "{}", never.stderr);
    assert!(never.stderr.contains("found another (options changed: members)"), "{}", never.stderr);
    let again = run(folder.path(), "run", &["--quiet", "--task", "Mean"]);
    assert_eq!(again.stderr, "Mean: will be scored again: options changed: members\n");
    let board = run(folder.path(), "leaderboard", &["--task", "Mean"]);
    let other = "mteb/baseline-random-encoder, Mean: not counted: from other data or options than the newest result (members changed: Two)";
    assert_eq!(board.stderr, format!("warning: {other}\n"));
    run(folder.path(), "run", &["--quiet", "--task", "Mean", "--model", "random"]);
    let board = run(folder.path(), "leaderboard", &["--json"]);
    assert_eq!(board.stderr, "");
    for row in board.json().unwrap().as_array().unwrap() {
        assert_eq!(row["tasks"]["Mean"], row["tasks"]["One"], "{row}");
    }
}

#[test]
fn a_mean_without_its_card_is_held_to_its_members_as_with_it() {
    let folder = scored_mean();
    let of = |arguments: &[&str]| Run::of(host(folder.path()).args(arguments)).unwrap();
    fs::create_dir(folder.path().join("kept")).unwrap();
    symlink(folder.path().join("results"), folder.path().join("kept/results")).unwrap();
    let away = ["leaderboard", "--task", "Mean", "--results", "kept/results"];
    let unheld = "warning: Mean: results are not checked against its current data, and every split and subset \
                  that any of them has counts, because its card was not named; name it with `--registry FILE`\n";
    assert_eq!(of(&away).stderr, unheld);
    assert_eq!(of(&["leaderboard", "--task", "Mean"]).stderr, "", "a registry beside the results names it");
    fs::write(folder.path().join("cards/others.csv"), PAIRS).unwrap();
    for model in ["hashing", "random"] {
        run(folder.path(), "run", &["--quiet", "--task", "Two", "--model", model]);
    }
    let with_card = run(folder.path(), "leaderboard", &["--task", "Mean"]);
    let why =
        "Mean: not counted: its member Two was scored again since, on other data or with other options\n";
    assert_eq!(with_card.stderr.matches(why).count(), 2, "{}", with_card.stderr);
    for without in [&["leaderboard", "--task", "Mean"][..], &away] {
        let without = of(without);
        let said = without.stderr.replace("kept/results", "results");
        assert_eq!((without.code, said), (with_card.code, with_card.stderr.clone()));
    }
    let compared = of(&["compare", MODELS[0], MODELS[1], "--task", "Mean"]);
    assert_eq!(compared.code, Some(2));
    assert!(compared.stderr.starts_with(&format!("warning: {}, {why}", MODELS[0])), "{}", compared.stderr);
}

//! A result that what lies beside it contradicts is on no board, and is scored again.

use std::fs;
use std::path::{Path, PathBuf};

use mteb_host_tests::{Run, host};
use serde_json::{Value, json};

const HASHING: &str = "mteb-host/hashing";

fn of(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(host(folder).args(arguments)).unwrap()
}

fn result(folder: &Path, task: &str) -> PathBuf {
    folder.join("results/mteb-host__hashing/1").join(format!("{task}.json"))
}

/// Changes the only entry of a result.
fn edit(folder: &Path, task: &str, change: impl FnOnce(&mut Value)) {
    let path = result(folder, task);
    let text = fs::read_to_string(&path).unwrap().replace("NaN", "null");
    let mut file: Value = serde_json::from_str(&text).unwrap();
    change(&mut file["scores"]["test"][0]);
    fs::write(path, file.to_string()).unwrap();
}

/// A task of each kind of outcomes with its main score.
const TASKS: [(&str, &str); 5] = [
    ("IndonesianLawRetrieval", "ndcg_at_10"),
    ("IndonesianGeneralSTS", "cosine_spearman"),
    ("IndonesianDuplicateQuestions", "max_ap"),
    ("IndonesianSundaneseBitext", "f1"),
    ("IndonesianNewsTopic", "accuracy"),
];

#[test]
fn outcomes_that_say_otherwise_take_an_edited_score_off_every_board() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let tasks = TASKS.iter().flat_map(|(task, _)| ["--task", task]).collect::<Vec<_>>();
    for model in ["hashing", "random"] {
        let run = of(folder, &[&["run", "--quiet", "--outcomes", "--model", model], &tasks[..]].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    let whole = of(folder, &[&["leaderboard", "--json"], &tasks[..]].concat());
    assert_eq!(whole.stderr, "", "nothing that was scored rightly is doubted");
    for (task, name) in TASKS {
        let before = fs::read(result(folder, task)).unwrap();
        edit(folder, task, |entry| {
            for key in ["main_score", name] {
                entry[key] = 0.987.into();
            }
            // What a maximum is taken over, and experiments, are edited too: they agree.
            let parts = ["cosine", "dot", "euclidean", "manhattan", "similarity"]
                .map(|kind| name.replace("max", kind));
            for part in parts.iter().filter(|_| name.starts_with("max_")) {
                if let Some(score) = entry.get_mut(part) {
                    *score = 0.987.into();
                }
            }
            let experiments = entry.get_mut("scores_per_experiment").and_then(Value::as_array_mut);
            for experiment in experiments.into_iter().flatten() {
                experiment[name] = 0.987.into();
            }
        });
        let board = of(folder, &["leaderboard", "--task", task]);
        let fault = "left out: expected `main_score` to be the score of its outcomes";
        let is_named =
            |line: &str| line.contains(&format!("{HASHING}, {task}, split test")) && line.contains(fault);
        assert!(board.stderr.lines().any(is_named), "{}", board.stderr);
        assert!(!board.stdout.contains("98.70"), "{}", board.stdout);
        let compared = of(folder, &["compare", "hashing", "mteb/baseline-random-encoder", "--task", task]);
        assert!(compared.stderr.contains("the score of its outcomes"), "{}", compared.stderr);
        let again = of(folder, &["run", "--json", "--task", task]);
        assert!(again.stderr.contains("its result cannot be right"), "{}", again.stderr);
        assert_eq!(again.json().unwrap()["tasks"][0]["units"][0]["state"], "scored");
        fs::write(result(folder, task), before).unwrap();
    }
}

#[test]
fn a_result_with_fewer_experiments_than_its_options_say_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let task = "IndonesianNewsTopic";
    let scored = of(folder, &["run", "--quiet", "--task", task]);
    assert_eq!(scored.code, Some(0), "{}", scored.stderr);
    let before = fs::read(result(folder, task)).unwrap();
    let board = |expected: &str| {
        let board = of(folder, &["leaderboard", "--task", task]);
        assert!(board.stderr.contains(expected), "{}", board.stderr);
        fs::write(result(folder, task), &before).unwrap();
    };
    edit(folder, task, |entry| {
        let experiments = entry["scores_per_experiment"].as_array_mut().unwrap();
        experiments.truncate(1);
        let only = experiments[0]["accuracy"].clone();
        entry["accuracy"] = only.clone();
        entry["main_score"] = only;
    });
    board("expected 10 scores in `scores_per_experiment`, as its options say, found 1");
    edit(folder, task, |entry| drop(entry.as_object_mut().unwrap().remove("scores_per_experiment")));
    board("expected 10 scores in `scores_per_experiment`, as its options say, found 0");
    // The mean of another measure is not that of its own.
    edit(folder, task, |entry| {
        let other = entry["f1"].clone();
        entry["main_score"] = other.clone();
        entry["accuracy"] = other;
    });
    board("expected `main_score` to be the mean of `accuracy` over `scores_per_experiment`, which is ");
}

/// A result that others made.
fn of_others(folder: &Path, model: &str, task: &str, score: f64) {
    let place = folder.join("results").join(model).join("1");
    fs::create_dir_all(&place).unwrap();
    let file = json!({
        "dataset_revision": "1", "task_name": task, "mteb_version": "2.1.0", "evaluation_time": 1.0,
        "scores": {"test": [{"hf_subset": "default", "languages": ["ind-Latn"], "main_score": score, "accuracy": score}]},
    });
    fs::write(place.join(format!("{task}.json")), file.to_string()).unwrap();
}

#[test]
fn an_interval_of_differences_ends_where_no_difference_can_be() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("cards")).unwrap();
    for (task, scores) in [("One", [0.02, 0.99]), ("Two", [0.98, 0.01])] {
        let card = format!(
            "schema = 1\nname = \"{task}\"\ntype = \"Classification\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n\
             [dataset]\npath = \"rows\"\n"
        );
        fs::write(folder.join(format!("cards/{task}.toml")), card).unwrap();
        for (model, score) in [("a__one", scores[0]), ("a__two", scores[1])] {
            of_others(folder, model, task, score);
        }
    }
    let registry = "schema = 1\nname = \"two\"\ncards = [\"cards\"]\n";
    fs::write(folder.join("two.toml"), registry).unwrap();
    let compared = of(folder, &["compare", "a/one", "a/two", "--registry", "two.toml", "--json"]);
    assert_eq!(compared.code, Some(0), "{}", compared.stderr);
    assert_eq!(compared.json().unwrap()["interval"], json!([-1.0, 1.0]), "{}", compared.stdout);
    let board = of(folder, &["leaderboard", "--registry", "two.toml", "--json"]).json().unwrap();
    assert_eq!(board[0]["mean_task_interval"], json!([0.0, 1.0]), "an accuracy is a share: {board}");
}

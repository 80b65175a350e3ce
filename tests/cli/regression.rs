//! Tasks in which a number is predicted of each text.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};
use serde_json::Value;

/// A card of a regression with these lines at its top, and texts whose value is their number of words.
fn write(folder: &Path, lines: &str) {
    let card = format!(
        "schema = 1\nname = \"Lengths\"\ntype = \"Regression\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n{lines}[dataset]\npath = \"data\"\n"
    );
    fs::write(folder.join("card.toml"), card).unwrap();
    fs::create_dir_all(folder.join("data")).unwrap();
    let rows = |first: usize, count: usize| -> String {
        let text = |row: usize| {
            (0..=row % 9).map(|word| format!("kata{} ", row * 7 % (word + 5))).collect::<String>()
        };
        let rows = (first..first + count).map(|row| format!("{}{row},{}\n", text(row), row % 9 + 1));
        format!("text,value\n{}", rows.collect::<String>())
    };
    fs::write(folder.join("data/train.csv"), rows(0, 120)).unwrap();
    fs::write(folder.join("data/test.csv"), rows(120, 50)).unwrap();
}

fn of(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(host(folder).args(arguments).args(["--registry", "card.toml"])).unwrap()
}

#[test]
fn a_number_is_predicted_of_each_text_and_outcomes_add_up_to_the_scores() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "");
    for model in ["hashing", "random"] {
        let run = of(folder.path(), &["run", "--json", "--outcomes", "--model", model]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    }
    let file = folder.path().join("results/mteb__baseline-random-encoder/2/Lengths.json");
    let result: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let entry = &result["scores"]["test"][0];
    let keys: Vec<&str> = entry.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys[..6], ["scores_per_experiment", "mse", "mae", "r2", "kendalltau", "rmse"]);
    assert_eq!(
        (entry["scores_per_experiment"].as_array().unwrap().len(), &entry["main_score"]),
        (10, &entry["kendalltau"])
    );
    let compared = of(folder.path(), &["compare", "hashing", "mteb/baseline-random-encoder", "--json"]);
    assert_eq!(compared.code, Some(0), "{}", compared.stderr);
    assert!(compared.stdout.contains("spearman"), "{}", compared.stdout);
    let board = of(folder.path(), &["leaderboard"]);
    assert!(board.stdout.contains("Regression"), "{}", board.stdout);
}

#[test]
fn no_measure_of_which_less_is_better_stands_for_a_task() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "main_score = \"mse\"\n");
    let run = Run::of(host(folder.path()).args(["validate", "card.toml"])).unwrap();
    let expected = "card.toml:6:14: expected a score of Regression, such as kendalltau, found: mse";
    assert!(run.stderr.contains(expected), "{}", run.stderr);
    write(folder.path(), "main_score = \"r2\"\n");
    assert_eq!(Run::of(host(folder.path()).args(["validate", "--data", "card.toml"])).unwrap().code, Some(0));
}

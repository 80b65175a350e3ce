//! Scores beside those that cards expect, subsets with splits of their own, and tasks that are the mean of others.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};
use serde_json::Value;

const PAIRS: &str = "sentence1,sentence2,score\na b,a b,5\na b,c d,0\na b,a c,3\nd e,d f g,2\n";

/// A card with `more` at its end, and its data.
fn card(folder: &Path, name: &str, more: &str) {
    let card = format!(
        "schema = 1\nname = \"{name}\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n{more}"
    );
    fs::create_dir_all(folder.join("cards")).unwrap();
    fs::write(folder.join("cards").join(format!("{name}.toml")), card).unwrap();
    fs::write(folder.join("mine.toml"), "schema = 1\nname = \"mine\"\ncards = [\"cards\"]\n").unwrap();
}

fn run(folder: &Path, more: &[&str]) -> Run {
    Run::of(host(folder).args(["run", "--registry", "mine.toml", "--json"]).args(more)).unwrap()
}

fn score(run: &Run, task: &str) -> f64 {
    let report = run.json().unwrap();
    let tasks = report["tasks"].as_array().unwrap();
    tasks.iter().find(|found| found["task"] == task).unwrap()["main_score"].as_f64().unwrap()
}

fn with_expected(folder: &Path, expected: f64, tolerance: f64) {
    let more = format!(
        "[dataset]\npath = \"../pairs.csv\"\n[expected.\"mteb-host/hashing\"]\nsource = \"this test\"\n\
         tolerance = {tolerance}\ntest = {{ default = {expected} }}\n"
    );
    card(folder, "Pairs", &more);
    fs::write(folder.join("pairs.csv"), PAIRS).unwrap();
}

#[test]
fn a_score_that_the_card_expects_passes() {
    let folder = tempfile::tempdir().unwrap();
    with_expected(folder.path(), 0.0, 2.0);
    let found = score(&run(folder.path(), &["--check-expected"]), "Pairs");
    with_expected(folder.path(), found, 0.000_001);
    let run = run(folder.path(), &["--check-expected"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn a_score_beyond_the_tolerance_fails_with_both_numbers_and_their_source() {
    let folder = tempfile::tempdir().unwrap();
    with_expected(folder.path(), 0.123, 0.01);
    assert_eq!(run(folder.path(), &[]).code, Some(0));
    let run = run(folder.path(), &["--check-expected"]);
    assert_eq!(run.code, Some(1));
    let line = "Pairs, split test, subset default: expected 0.123 ± 0.01 (this test), found ";
    assert!(run.stderr.contains(line), "{}", run.stderr);
}

#[test]
fn a_model_without_expected_scores_is_not_compared() {
    let folder = tempfile::tempdir().unwrap();
    with_expected(folder.path(), 0.123, 0.01);
    let run = run(folder.path(), &["--check-expected", "--model", "random"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn a_subset_can_have_splits_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let subsets = "eval_splits = [\"test\", \"validation\"]\n[subsets]\n\
                   ind = { languages = [\"ind-Latn\"], eval_splits = [\"test\"] }\n\
                   jav = { languages = [\"jav-Latn\"], eval_splits = [\"validation\"] }\n[dataset]\npath = \"../data\"\n";
    card(folder.path(), "Splits", subsets);
    for (subset, split) in [("ind", "test"), ("jav", "validation")] {
        let place = folder.path().join("data").join(subset);
        fs::create_dir_all(&place).unwrap();
        fs::write(place.join(format!("{split}.csv")), PAIRS).unwrap();
    }
    let run = run(folder.path(), &[]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let report = run.json().unwrap();
    let units = report["tasks"][0]["units"].as_array().unwrap();
    let places: Vec<(&Value, &Value)> = units.iter().map(|unit| (&unit["split"], &unit["subset"])).collect();
    assert_eq!(
        places,
        [(&Value::from("test"), &Value::from("ind")), (&Value::from("validation"), &Value::from("jav"))]
    );
}

#[test]
fn a_task_of_members_is_the_mean_of_their_scores() {
    let folder = tempfile::tempdir().unwrap();
    for (name, file) in [("One", "one.csv"), ("Two", "two.csv")] {
        card(folder.path(), name, &format!("[dataset]\npath = \"../{file}\"\n"));
    }
    card(folder.path(), "Both", "members = [\"One\", \"Two\"]\n");
    fs::write(folder.path().join("one.csv"), PAIRS).unwrap();
    fs::write(folder.path().join("two.csv"), PAIRS.replace("c d,0", "c d,4")).unwrap();
    let run = run(folder.path(), &[]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let mean = (score(&run, "One") + score(&run, "Two")) / 2.0;
    assert!((score(&run, "Both") - mean).abs() < 1e-6, "{}", run.stdout);
}

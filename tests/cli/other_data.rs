//! Results of other data than that of now: they stay beside, count where their data is asked for, and are not scored again.

use std::fs;
use std::path::{Path, PathBuf};

use mteb_host_tests::{Run, host};
use serde_json::Value;

use super::editions::{pack, run};

/// Scores an edition with the model `hashing`; gives what became of each unit, and what was said.
fn score(folder: &Path, registry: &str, more: &[&str]) -> (Vec<(String, String)>, String) {
    let arguments = [&["run", "--json", "--model", "hashing", "--registry", registry], more].concat();
    let run = run(folder, &arguments);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let told = run.json().unwrap();
    let tasks = told["tasks"].as_array().unwrap();
    let states = tasks.iter().map(|task| {
        let state = task["units"][0]["state"].as_str().unwrap();
        (task["task"].as_str().unwrap().to_owned(), state.to_owned())
    });
    (states.collect(), run.stderr)
}

fn states(states: &[(String, String)]) -> Vec<&str> {
    states.iter().map(|(_, state)| state.as_str()).collect()
}

/// The tasks of the only model of a leaderboard that have a score.
fn board(folder: &Path, registry: &str) -> (Vec<String>, String) {
    let board = run(folder, &["leaderboard", "--json", "--registry", registry]);
    let json = board.json().unwrap_or_default();
    let tasks = json[0]["tasks"].as_object().cloned().unwrap_or_default();
    (tasks.into_iter().filter(|(_, score)| score.is_number()).map(|(task, _)| task).collect(), board.stderr)
}

fn results(folder: &Path) -> PathBuf {
    folder.join("results/mteb-host__hashing/1")
}

fn copies(folder: &Path) -> usize {
    fs::read_dir(results(folder).join("superseded")).map_or(0, Iterator::count)
}

#[test]
fn two_editions_keep_their_results_beside_each_other() {
    let folder = pack();
    let folder = folder.path();
    score(folder, "first.toml", &[]);
    let (now, said) = score(folder, "now.toml", &[]);
    assert_eq!(states(&now), ["scored", "found", "scored", "scored"], "{now:?}");
    assert!(said.contains("superseded") && said.contains("Rewritten"), "{said}");
    // Both boards have all their rows, whichever edition was scored last.
    let all = (["Fresh", "Kept", "Rescored", "Rewritten"], ["Kept", "Rescored", "Rewritten"]);
    let boards = || (board(folder, "now.toml").0, board(folder, "first.toml").0);
    assert_eq!(boards(), (all.0.map(str::to_owned).to_vec(), all.1.map(str::to_owned).to_vec()));
    // Nothing is scored again, and copies do not pile up.
    let (first, said) = score(folder, "first.toml", &[]);
    assert_eq!(states(&first), ["found"; 3], "{said}");
    assert!(said.contains("reused 1 result with this data"), "{said}");
    assert_eq!(boards(), (all.0.map(str::to_owned).to_vec(), all.1.map(str::to_owned).to_vec()));
    let before = copies(folder);
    for _ in 0..2 {
        assert_eq!(states(&score(folder, "now.toml", &[]).0), ["found"; 4]);
        assert_eq!(states(&score(folder, "first.toml", &[]).0), ["found"; 3]);
    }
    assert_eq!(copies(folder), before);
    // What mteb's loader reads is of the edition that was asked for last.
    let file = fs::read_to_string(results(folder).join("Rewritten.json")).unwrap();
    assert!(file.contains("\"dataset_revision\": \"1\""), "{file}");
}

#[test]
fn a_comparison_of_an_earlier_edition_has_its_results() {
    let folder = pack();
    let folder = folder.path();
    for model in ["hashing", "random"] {
        for registry in ["first.toml", "now.toml"] {
            let scored =
                run(folder, &["run", "--quiet", "--outcomes", "--model", model, "--registry", registry]);
            assert_eq!(scored.code, Some(0), "{}", scored.stderr);
        }
    }
    let compared = |registry: &str| {
        let run = run(
            folder,
            &["compare", "hashing", "mteb/baseline-random-encoder", "--registry", registry, "--json"],
        );
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.json().unwrap()["tasks"].as_array().unwrap().len()
    };
    assert_eq!((compared("first.toml"), compared("now.toml")), (3, 4));
}

#[test]
fn outcomes_of_another_edition_do_not_stand_beside_a_result_that_came_back() {
    let folder = pack();
    let folder = folder.path();
    score(folder, "first.toml", &[]);
    score(folder, "now.toml", &["--outcomes"]);
    assert_eq!(states(&score(folder, "first.toml", &[]).0), ["found"; 3]);
    let (_, said) = board(folder, "first.toml");
    assert!(!said.contains("made from something other"), "{said}");
}

/// A task over a file of the user's own.
fn own(folder: &Path, rows: &[&str]) {
    let card = "schema = 1\nname = \"MySTS\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n\
                [dataset]\npath = \"pairs.csv\"\n";
    fs::write(folder.join("task.toml"), card).unwrap();
    fs::write(folder.join("pairs.csv"), format!("sentence1,sentence2,score\n{}\n", rows.join("\n"))).unwrap();
}

#[test]
fn results_of_a_file_that_was_changed_return_with_the_file() {
    const FIRST: [&str; 4] = ["a b c,a b c,5", "a b c,d e f,0", "a b c,a b d,4", "x y,x z,2"];
    const OTHER: [&str; 4] = ["a b c,a b c,1", "a b c,d e f,3", "a b c,a b d,4", "x y,x z,2"];
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("plugins")).unwrap();
    let scored = || {
        let run = Run::of(host(folder).args(["run", "--json", "--registry", "task.toml", "--update-lock"]))
            .unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let json = run.json().unwrap();
        let unit = &json["tasks"][0]["units"][0];
        (unit["state"].as_str().unwrap().to_owned(), format!("{:.5}", unit["main_score"].as_f64().unwrap()))
    };
    own(folder, &FIRST);
    let first = scored();
    own(folder, &OTHER);
    let other = scored();
    assert_eq!((other.0.as_str(), other.1 == first.1), ("scored", false));
    own(folder, &FIRST);
    assert_eq!(scored(), ("found".to_owned(), first.1.clone()));
    // An unreadable copy, and one of another task, are passed over.
    let copies = results(folder).join("superseded");
    for copy in fs::read_dir(&copies).unwrap() {
        fs::write(copy.unwrap().path(), "{").unwrap();
    }
    fs::copy(results(folder).join("MySTS.json"), copies.join("Other-1.json")).unwrap();
    own(folder, &OTHER);
    assert_eq!(scored(), ("scored".to_owned(), other.1));
}

#[test]
fn a_result_that_was_removed_does_not_come_back() {
    let folder = pack();
    let folder = folder.path();
    score(folder, "first.toml", &[]);
    score(folder, "now.toml", &[]);
    fs::remove_file(results(folder).join("Rewritten.json")).unwrap();
    let (now, _) = score(folder, "first.toml", &["--task", "Rewritten"]);
    assert_eq!(states(&now), ["scored"]);
    let (anew, _) = score(folder, "now.toml", &["--overwrite", "always"]);
    assert_eq!(states(&anew), ["scored"; 4]);
}

#[test]
fn a_copy_that_somebody_edited_is_not_taken_back() {
    let folder = pack();
    let folder = folder.path();
    score(folder, "first.toml", &[]);
    score(folder, "now.toml", &[]);
    for copy in fs::read_dir(results(folder).join("superseded")).unwrap() {
        let path = copy.unwrap().path();
        let mut file: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        file["scores"]["test"][0]["main_score"] = 0.99.into();
        fs::write(&path, file.to_string()).unwrap();
    }
    let (first, _) = score(folder, "first.toml", &["--task", "Rewritten"]);
    assert_eq!(states(&first), ["scored"]);
}

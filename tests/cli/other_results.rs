//! Results of other data than that of now stay beside, and count where their data is asked for. A main score of
//! others that is another measure than the card names is replaced by the card's, marked, in every table.

use std::fs;
use std::path::{Path, PathBuf};

use mteb_host_tests::{Run, host};
use serde_json::{Value, json};

use super::editions::{pack, run};
use super::every_reader::publish;

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

const TOXIC: &str = "ToxicConversationsClassification";
const REVISION: &str = "edfaf9da55d3dd50d43143d90c1ac476895ae6de";

fn of(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(host(folder).args(arguments)).unwrap()
}

/// Results of three models: one whose main score is its accuracy, one whose main score is its F1, one that has no accuracy.
fn three_models(folder: &Path) {
    let scores =
        |accuracy: f64, main: f64| json!({"accuracy": accuracy, "f1": 0.91, "ap": 0.3, "main_score": main});
    publish(folder, "a__right", TOXIC, REVISION, &scores(0.7, 0.7));
    publish(folder, "b__f1", TOXIC, REVISION, &scores(0.6, 0.91));
    publish(folder, "c__lacks", TOXIC, REVISION, &json!({"f1": 0.55, "ap": 0.3, "main_score": 0.55}));
}

const REPLACED: &str = "its `main_score` is its `f1`; its `accuracy`, the main score of the task, counts";

const LACKING: &str =
    "its `main_score` is its `f1`, which counts; it lacks `accuracy`, the main score of the task";

#[test]
fn the_measure_of_the_card_counts_marked_in_every_table() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    three_models(folder);
    let board = of(folder, &["leaderboard", "--task", TOXIC]);
    assert_eq!(board.code, Some(0), "{}", board.stderr);
    let noted = |model: &str| -> Vec<&str> {
        board.stderr.lines().filter(|line| line.contains(&format!("{model}, {TOXIC}: "))).collect()
    };
    assert_eq!(noted("a/right"), [""; 0], "{}", board.stderr);
    assert_eq!(noted("b/f1"), [format!("warning: b/f1, {TOXIC}: marked: {REPLACED}")]);
    assert_eq!(noted("c/lacks"), [format!("warning: c/lacks, {TOXIC}: marked: {LACKING}")]);
    // Markdown puts a mark before some letters.
    let shown = board.stdout.replace('\\', "");
    assert!(
        shown
            .contains(&format!("† read otherwise: b/f1 ({TOXIC}, {REPLACED}), c/lacks ({TOXIC}, {LACKING})")),
        "{shown}"
    );
    for (number, is_there) in [("70.00", true), ("60.00", true), ("55.00", true), ("91.00", false)] {
        assert_eq!(shown.contains(number), is_there, "{number}: {shown}");
    }
    let json = of(folder, &["leaderboard", "--task", TOXIC, "--json"]).json().unwrap();
    let row =
        |model: &str| json.as_array().unwrap().iter().find(|row| row["model"] == model).unwrap().clone();
    assert_eq!(row("b/f1")["tasks"][TOXIC], 0.6, "{}", row("b/f1"));
    assert_eq!(row("b/f1")["other_data"], json!([{"task": TOXIC, "counted": true, "notes": [REPLACED]}]));
    let compared = of(folder, &["compare", "a/right", "b/f1", "--task", TOXIC]);
    let said = format!("{}{}", compared.stdout, compared.stderr).replace('\\', "");
    assert!(said.contains(REPLACED) && said.contains("60.00") && !said.contains("91.00"), "{said}");
    let shown = of(folder, &["show", "results", "b/f1", "--task", TOXIC]);
    assert!(
        shown.stderr.contains(REPLACED) && shown.stdout.contains("60.00"),
        "{}{}",
        shown.stdout,
        shown.stderr
    );
    let task = of(folder, &["show", "task", TOXIC, "--results", "results"]);
    let line = format!("60.00  b/f1 † read otherwise ({REPLACED})");
    assert!(task.stdout.contains(&line), "{}", task.stdout);
    let page = of(folder, &["report", "--task", TOXIC, "--output", "page.html"]);
    assert_eq!(page.code, Some(0), "{}", page.stderr);
    assert!(page.stderr.contains(REPLACED), "{}", page.stderr);
    let checked = of(folder, &["results", "verify", "results", "--task", TOXIC]);
    assert!(
        checked.stderr.contains(&format!("to review: b/f1, {TOXIC}: marked: {REPLACED}")),
        "{}",
        checked.stderr
    );
}

#[test]
fn the_table_of_the_reference_keeps_the_main_score_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let scores = json!({"accuracy": 0.6, "f1": 0.91, "main_score": 0.91});
    publish(folder, "intfloat__multilingual-e5-small", TOXIC, REVISION, &scores);
    let like = of(folder, &["leaderboard", "--task", TOXIC, "--like-reference", "--json"]);
    assert_eq!(like.code, Some(0), "{}", like.stderr);
    assert!(like.stdout.contains("0.91") && !like.stdout.contains("0.6,"), "{}", like.stdout);
}

#[test]
fn a_card_with_another_main_score_reads_the_same_files_again() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    three_models(folder);
    let score = |arguments: &[&str]| {
        let board = of(folder, &[&["leaderboard", "--json", "--task", TOXIC], arguments].concat());
        let rows = board.json().unwrap();
        let row = rows.as_array().unwrap().iter().find(|row| row["model"] == "b/f1").unwrap().clone();
        (row["tasks"][TOXIC].clone(), board.stderr.contains("b/f1, "))
    };
    assert_eq!(score(&[]), (json!(0.6), true));
    let card = format!(
        "schema = 1\nname = \"{TOXIC}\"\ntype = \"Classification\"\nmain_score = \"f1\"\ndescription = \"d\"\nlanguages = [\"eng-Latn\"]\n\
         [dataset]\nhub = \"mteb/toxic_conversations_50k\"\nrevision = \"{REVISION}\"\n"
    );
    fs::write(folder.join("f1.toml"), card).unwrap();
    assert_eq!(score(&["--registry", "f1.toml"]), (json!(0.91), false));
    assert_eq!(score(&[]), (json!(0.6), true));
}

#[test]
fn a_score_in_place_of_the_main_one_is_checked_as_that_would_be() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let experiments = json!([{"accuracy": 0.6, "f1": 0.9}, {"accuracy": 0.62, "f1": 0.92}]);
    let scores = |accuracy: f64| json!({"accuracy": accuracy, "f1": 0.91, "main_score": 0.91, "scores_per_experiment": experiments});
    publish(folder, "a__right", TOXIC, REVISION, &scores(0.61));
    publish(folder, "b__edited", TOXIC, REVISION, &scores(0.99));
    let board = of(folder, &["leaderboard", "--task", TOXIC]);
    assert!(board.stdout.contains("61.00") && !board.stdout.contains("99.00"), "{}", board.stdout);
    let fault = format!(
        "b/edited, {TOXIC}, split test, subset default: left out: expected `main_score` to be the mean of a measure over"
    );
    assert!(board.stderr.contains(&fault), "{}", board.stderr);
}

#[test]
fn a_score_of_others_beside_those_of_this_host_is_compared_with_their_main_score() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let begun = of(folder, &["new", "task", "Mine", "--type", "Classification", "--language", "eng-Latn"]);
    assert_eq!(begun.code, Some(0), "{}", begun.stderr);
    assert_eq!(of(folder, &["run", "--quiet", "--registry", "mine.toml"]).code, Some(0));
    let own = fs::read_to_string(folder.join("results/mteb-host__hashing/1/Mine.json")).unwrap();
    let own: Value = serde_json::from_str(&own.replace("NaN", "null")).unwrap();
    let revision = own["dataset_revision"].as_str().unwrap();
    publish(folder, "b__f1", "Mine", revision, &json!({"accuracy": 0.6, "f1": 0.91, "main_score": 0.91}));
    // Nobody names the card, and then somebody does.
    for registry in [&[][..], &["--registry", "mine.toml"]] {
        let board = of(folder, &[&["leaderboard", "--task", "Mine"], registry].concat());
        assert!(
            board.stderr.contains(REPLACED) && !board.stdout.contains("91.00"),
            "{registry:?}: {}{}",
            board.stderr,
            board.stdout
        );
    }
    // Nor is the card there any more.
    fs::remove_file(folder.join("mine.toml")).unwrap();
    let board = of(folder, &["leaderboard", "--task", "Mine"]);
    assert!(
        board.stderr.contains(REPLACED) && !board.stdout.contains("91.00"),
        "{}{}",
        board.stderr,
        board.stdout
    );
}

#[test]
fn a_run_that_keeps_a_result_of_others_shows_the_measure_of_the_card() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let begun = of(folder, &["new", "task", "Mine", "--type", "Classification", "--language", "eng-Latn"]);
    assert_eq!(begun.code, Some(0), "{}", begun.stderr);
    assert_eq!(of(folder, &["run", "--quiet", "--registry", "mine.toml"]).code, Some(0));
    let path = folder.join("results/mteb-host__hashing/1/Mine.json");
    let mut file: Value =
        serde_json::from_str(&fs::read_to_string(&path).unwrap().replace("NaN", "null")).unwrap();
    file.as_object_mut().unwrap().remove("mteb_host");
    let entry = &mut file["scores"]["test"][0];
    let (accuracy, f1) = (entry["accuracy"].clone(), entry["f1"].clone());
    assert_ne!(accuracy, f1);
    entry["main_score"] = f1;
    fs::write(&path, file.to_string()).unwrap();
    let kept = of(folder, &["run", "--keep-unknown", "--registry", "mine.toml", "--json"]);
    let unit = &kept.json().unwrap()["tasks"][0]["units"][0];
    assert_eq!((&unit["state"], &unit["main_score"]), (&"found".into(), &accuracy), "{}{unit}", kept.stderr);
}

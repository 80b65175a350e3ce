//! A main score of others that is another measure than the card of its task names: the card's measure counts, marked, in every table but
//! that of the reference.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};
use serde_json::{Value, json};

use super::every_reader::published;

const TOXIC: &str = "ToxicConversationsClassification";
const REVISION: &str = "edfaf9da55d3dd50d43143d90c1ac476895ae6de";

fn of(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(host(folder).args(arguments)).unwrap()
}

/// Results of three models: one whose main score is its accuracy, one whose main score is its F1, one that has no accuracy.
fn three_models(folder: &Path) {
    let scores =
        |accuracy: f64, main: f64| json!({"accuracy": accuracy, "f1": 0.91, "ap": 0.3, "main_score": main});
    published(folder, "a__right", TOXIC, REVISION, &scores(0.7, 0.7));
    published(folder, "b__f1", TOXIC, REVISION, &scores(0.6, 0.91));
    published(folder, "c__lacks", TOXIC, REVISION, &json!({"f1": 0.55, "ap": 0.3, "main_score": 0.55}));
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
    published(folder, "intfloat__multilingual-e5-small", TOXIC, REVISION, &scores);
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
    published(folder, "a__right", TOXIC, REVISION, &scores(0.61));
    published(folder, "b__edited", TOXIC, REVISION, &scores(0.99));
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
    published(folder, "b__f1", "Mine", revision, &json!({"accuracy": 0.6, "f1": 0.91, "main_score": 0.91}));
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

//! Subsets: draws that go on from one to the next, rows that are held out where there is no training split,
//! splits of their own, tasks that are the mean of others, and the scores that cards expect.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};
use serde_json::Value;

use super::stale::{run, states, write_cluster_card, write_clusters};

#[test]
fn a_selection_may_draw_for_itself_alone() {
    let folder = tempfile::tempdir().unwrap();
    write_clusters(folder.path(), "ind", 30);
    write_clusters(folder.path(), "jav", 40);
    let score = |run: &Run| run.json().unwrap()["tasks"][0]["units"][0]["main_score"].clone();
    write_cluster_card(folder.path(), &["jav"]);
    let alone = run(folder.path(), &["--output-folder", "alone"]);
    write_cluster_card(folder.path(), &["ind", "jav"]);
    let selected = ["--task", "MyClusters:jav", "--draws", "selected"];
    let chosen = run(folder.path(), &selected);
    assert_eq!((states(&chosen), chosen.stderr.as_str()), (vec!["scored".to_owned()], ""));
    assert_eq!(score(&chosen), score(&alone));
    assert_eq!(states(&run(folder.path(), &selected)), ["found"]);
    let whole = run(folder.path(), &["--task", "MyClusters:jav"]);
    assert_eq!(states(&whole), ["scored"], "these are other draws");
    insta::assert_snapshot!(whole.stderr.trim_end(), @r"
    MyClusters: will be scored again: the data, options or selection of earlier subsets changed, whose draws it continues
    MyClusters: also reads 1 unit not selected, because the draws of those selected continue theirs; `--draws selected` draws only for the selected ones, whose scores then differ
    ");
}

#[test]
fn draws_that_continue_those_of_earlier_subsets_depend_on_their_data() {
    let folder = tempfile::tempdir().unwrap();
    write_cluster_card(folder.path(), &["ind", "jav"]);
    let write = |subset, rows| write_clusters(folder.path(), subset, rows);
    write("ind", 30);
    write("jav", 30);
    let first = run(folder.path(), &[]);
    assert_eq!(states(&first), ["scored", "scored"], "{}", first.stderr);
    assert_eq!(states(&run(folder.path(), &[])), ["found", "found"]);
    write("jav", 36);
    let later = run(folder.path(), &[]);
    assert_eq!(states(&later), ["found", "scored"], "{}", later.stderr);
    assert_eq!(later.stderr, "MyClusters, subset jav: will be scored again: data changed: jav/test.jsonl\n");
    write("ind", 33);
    let earlier = run(folder.path(), &["--task", "MyClusters:jav"]);
    assert_eq!(states(&earlier), ["scored"], "{}", earlier.stderr);
    assert!(
        earlier.stderr.contains("the data, options or selection of earlier subsets changed"),
        "{}",
        earlier.stderr
    );
}

#[test]
fn a_board_marks_scores_whose_draws_continue_other_data() {
    let folder = tempfile::tempdir().unwrap();
    write_cluster_card(folder.path(), &["ind", "jav"]);
    write_clusters(folder.path(), "ind", 30);
    write_clusters(folder.path(), "jav", 30);
    let board = || {
        let arguments = ["leaderboard", "--registry", "task.toml", "--json"];
        Run::of(host(folder.path()).args(arguments)).unwrap()
    };
    assert_eq!(states(&run(folder.path(), &[])), ["scored", "scored"]);
    assert_eq!(board().stderr, "");
    // The first subset is scored again alone; the second one's draws were those behind the former rows.
    write_clusters(folder.path(), "ind", 33);
    let marked = board();
    assert!(marked.stderr.contains("of 2 units"), "{}", marked.stderr);
    assert_eq!(states(&run(folder.path(), &["--task", "MyClusters:ind"])), ["scored"]);
    let marked = board();
    assert!(
        marked.stderr.contains(
            "of 1 unit are counted that are not from the current data (the data, options or selection of earlier subsets changed, \
             whose draws it continues); `run` scores it again"
        ),
        "{}",
        marked.stderr
    );
    assert_eq!(states(&run(folder.path(), &[])), ["found", "scored"]);
    assert_eq!(board().stderr, "");
}

/// A card with two subsets, of which `ind` holds rows out as `hold_out` says and `sun` has a training split, and their data.
fn write(folder: &Path, task_type: &str, hold_out: &str) {
    let card = format!(
        "schema = 1\nname = \"Moods\"\ntype = \"{task_type}\"\ndescription = \"d\"\n[dataset]\npath = \"data\"\n[subsets]\n\
         ind = {{ languages = [\"ind-Latn\"], hold_out = {hold_out} }}\nsun = {{ languages = [\"sun-Latn\"] }}\n"
    );
    fs::write(folder.join("card.toml"), card).unwrap();
    let rows = |count: usize| -> String {
        let rows = (0..count).map(|row| format!("kata {row} ke {},{}\n", row % 7, row % 2));
        format!("text,label\n{}", rows.collect::<String>())
    };
    for (file, count) in [("ind/test.csv", 60), ("sun/train.csv", 30), ("sun/test.csv", 20)] {
        let path = folder.join("data").join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, rows(count)).unwrap();
    }
}

fn of(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(host(folder).args(arguments).args(["--json", "--registry", "card.toml"])).unwrap()
}

#[test]
fn a_subset_learns_from_the_rows_that_are_not_held_out() {
    let folder = tempfile::tempdir().unwrap();
    let states = |run: &Run| -> Vec<Value> {
        let units = run.json().unwrap()["tasks"][0]["units"].as_array().unwrap().clone();
        units.iter().map(|unit| unit["state"].clone()).collect()
    };
    write(folder.path(), "Classification", "{ share = 0.3 }");
    let first = of(folder.path(), &["run", "--outcomes"]);
    assert_eq!(
        (first.code, states(&first)),
        (Some(0), vec!["scored".into(), "scored".into()]),
        "{}",
        first.stderr
    );
    let sizes = of(folder.path(), &["stats", "Moods"]).json().unwrap();
    let rows = |subset: usize| -> Vec<Value> {
        ["rows", "train"].map(|part| sizes["units"][subset]["parts"][part]["rows"].clone()).to_vec()
    };
    assert_eq!((rows(0), rows(1)), (vec![18.into(), 42.into()], vec![20.into(), 30.into()]), "{sizes}");
    write(folder.path(), "Classification", "{ share = 0.5 }");
    let second = of(folder.path(), &["run", "--outcomes"]);
    assert_eq!(states(&second), ["scored", "found"]);
    assert!(second.stderr.contains("hold_out"), "{}", second.stderr);
}

#[test]
fn a_dataset_without_a_training_split_says_once_how_its_rows_are_divided() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "Classification", "{ share = 0.3 }");
    let card = folder.path().join("card.toml");
    let text = fs::read_to_string(&card).unwrap();
    let (head, _) = text.split_once("[subsets]").unwrap();
    let with = |hold_out: &str| {
        let rest = "[subsets]\nind = { languages = [\"ind-Latn\"] }\n";
        fs::write(&card, format!("{head}hold_out = {hold_out}\n{rest}")).unwrap();
    };
    with("{ test = 10, train = 20, by = \"label\" }");
    let run = of(folder.path(), &["run"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let sizes = of(folder.path(), &["stats", "Moods"]).json().unwrap();
    let parts = &sizes["units"][0]["parts"];
    assert_eq!((&parts["rows"]["rows"], &parts["train"]["rows"]), (&10.into(), &20.into()), "{sizes}");
    with("{ test = 0 }");
    let found = Run::of(host(folder.path()).args(["validate", "card.toml"])).unwrap().stderr;
    assert!(found.contains("dataset.hold_out.test: expected a number of at least 1, found: 0"), "{found}");
}

#[test]
fn what_is_held_out_must_leave_rows_to_learn_from() {
    let folder = tempfile::tempdir().unwrap();
    let faults = |task_type: &str, hold_out: &str| -> String {
        write(folder.path(), task_type, hold_out);
        Run::of(host(folder.path()).args(["validate", "card.toml"])).unwrap().stderr
    };
    for (hold_out, expected) in [
        ("{ share = 1.0 }", "subset ind: expected a share between 0 and 1, found 1\n"),
        (
            "{ share = 0.5, rows = 0 }",
            "subsets.ind.hold_out.rows: expected a number of at least 1, found: 0\n",
        ),
    ] {
        let found = faults("Classification", hold_out);
        assert!(found.contains(expected), "{found}");
    }
    let found = faults("Clustering", "{ share = 0.5 }");
    assert!(
        found.contains("expected no `hold_out` in a task without a training split, found one"),
        "{found}"
    );
}

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

fn run_expected(folder: &Path, more: &[&str]) -> Run {
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
    let found = score(&run_expected(folder.path(), &["--check-expected"]), "Pairs");
    with_expected(folder.path(), found, 0.000_001);
    let run = run_expected(folder.path(), &["--check-expected"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn a_score_beyond_the_tolerance_fails_with_both_numbers_and_their_source() {
    let folder = tempfile::tempdir().unwrap();
    with_expected(folder.path(), 0.123, 0.01);
    assert_eq!(run_expected(folder.path(), &[]).code, Some(0));
    let run = run_expected(folder.path(), &["--check-expected"]);
    assert_eq!(run.code, Some(1));
    let line = "Pairs, split test, subset default: expected 0.123 ± 0.01 (this test), found ";
    assert!(run.stderr.contains(line), "{}", run.stderr);
}

#[test]
fn a_model_without_expected_scores_is_not_compared() {
    let folder = tempfile::tempdir().unwrap();
    with_expected(folder.path(), 0.123, 0.01);
    let run = run_expected(folder.path(), &["--check-expected", "--model", "random"]);
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
    let run = run_expected(folder.path(), &[]);
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
    let run = run_expected(folder.path(), &[]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let mean = (score(&run, "One") + score(&run, "Two")) / 2.0;
    assert!((score(&run, "Both") - mean).abs() < 1e-6, "{}", run.stdout);
}

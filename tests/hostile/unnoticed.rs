//! What changes a score without a change in a file of data or an option of a card: no old score stands for it.
//! Results of others that cannot be right: a run and a board agree on them.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};
use serde_json::Value;

use super::results::{leaderboard, score_task};

/// Runs the task in `task.toml`; gives what was said and the main score that the result file says.
fn run_task(folder: &Path, task: &str, model: &str, output: &str) -> (String, f64) {
    let arguments = ["run", "--registry", "task.toml", "--model", model, "--output-folder", output];
    let run = Run::of(host(folder).args(arguments)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let mut folders = vec![folder.join(output)];
    while let Some(folder) = folders.pop() {
        let file = folder.join(format!("{task}.json"));
        if let Ok(text) = fs::read_to_string(file) {
            let result: Value = serde_json::from_str(&text.replace("NaN", "null")).unwrap();
            return (run.stderr, result["scores"]["test"][0]["main_score"].as_f64().unwrap());
        }
        let below = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        folders.extend(below.filter(|path| path.is_dir() && !path.ends_with("superseded")));
    }
    panic!("{}", run.stderr)
}

#[test]
fn bm25_scores_anew_in_another_language() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    fs::create_dir(&data).unwrap();
    let card = |language: &str| {
        let card = "schema = 1\nname = \"Law\"\ntype = \"Retrieval\"\ndescription = \"d\"\n";
        let text = format!("{card}languages = [\"{language}\"]\n[dataset]\npath = \"data\"\n");
        fs::write(folder.path().join("task.toml"), text).unwrap();
    };
    // English stems find the second document, and other languages know no word of it.
    fs::write(
        data.join("corpus.jsonl"),
        "{\"_id\": \"1\", \"text\": \"the runner\"}\n{\"_id\": \"2\", \"text\": \"jumping\"}\n\
         {\"_id\": \"3\", \"text\": \"nothing of it\"}\n",
    )
    .unwrap();
    fs::write(data.join("queries.jsonl"), "{\"_id\": \"q\", \"text\": \"the jumps\"}\n").unwrap();
    fs::write(data.join("qrels.tsv"), "query-id\tcorpus-id\tscore\nq\t1\t1\nq\t2\t2\n").unwrap();
    card("eng-Latn");
    let (_, english) = run_task(folder.path(), "Law", "bm25", "results");
    card("ind-Latn");
    let (said, again) = run_task(folder.path(), "Law", "bm25", "results");
    assert!(said.contains("scored again: languages changed, by which words are stemmed: ind-Latn"), "{said}");
    let (_, anew) = run_task(folder.path(), "Law", "bm25", "other");
    assert_eq!(again, anew);
    assert_ne!(again, english, "the words of the two languages are others");
    card("jav-Latn");
    run_task(folder.path(), "Law", "bm25", "results");
    card("sun-Latn");
    let (said, _) = run_task(folder.path(), "Law", "bm25", "results");
    assert!(said.contains("languages of the card updated"), "both are cut into words alone: {said}");
}

#[test]
fn another_role_or_order_of_files_in_a_readme_is_scored_anew() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    fs::create_dir(&data).unwrap();
    let card = "schema = 1\nname = \"Kinds\"\ntype = \"Classification\"\ndescription = \"d\"\nlanguages = [\"eng-Latn\"]\n\
                [dataset]\npath = \"data\"\n[protocol]\nsamples_per_label = 2\n";
    fs::write(folder.path().join("task.toml"), card).unwrap();
    for (file, from) in [("train", 0), ("test", 40), ("more", 80)] {
        let row = |row: u32| format!("word{} of {} and {},{}\n", row % 7, row % 5, row * row % 11, row % 3);
        let rows: String = (from..from + 30).map(row).collect();
        fs::write(data.join(format!("{file}.csv")), format!("text,label\n{rows}")).unwrap();
    }
    let readme = |train: &str, test: &str| {
        let configs = format!(
            "---\nconfigs:\n- config_name: default\n  data_files:\n  - split: train\n    path: [{train}]\n  - split: test\n    path: [{test}]\n---\n"
        );
        fs::write(data.join("README.md"), configs).unwrap();
    };
    run_task(folder.path(), "Kinds", "hashing", "results");
    for (number, (train, test)) in [
        ("test.csv", "train.csv"),
        ("train.csv", "test.csv"),
        ("train.csv, more.csv", "test.csv"),
        ("more.csv, train.csv", "test.csv"),
        ("more.csv", "test.csv, train.csv"),
        ("more.csv, train.csv", "test.csv, train.csv"),
    ]
    .into_iter()
    .enumerate()
    {
        readme(train, test);
        let (said, again) = run_task(folder.path(), "Kinds", "hashing", "results");
        assert!(said.contains("`configs` of README.md"), "{train}; {test}: {said}");
        let (_, anew) = run_task(folder.path(), "Kinds", "hashing", &format!("other{number}"));
        assert_eq!(again, anew, "{train}; {test}");
        let text = fs::read_to_string(data.join("README.md")).unwrap();
        fs::write(data.join("README.md"), text + "A word.\n").unwrap();
        let (said, _) = run_task(folder.path(), "Kinds", "hashing", "results");
        assert!(!said.contains("will be scored again"), "its words say nothing of the data: {said}");
    }
    fs::remove_file(data.join("README.md")).unwrap();
    // Without the copies, of which one is of this very data.
    fs::remove_dir_all(folder.path().join("results/mteb-host__hashing/1/superseded")).unwrap();
    let (said, _) = run_task(folder.path(), "Kinds", "hashing", "results");
    assert!(said.contains("data no longer read: `configs` of README.md"), "{said}");
}

/// Writes a file of others for the task of [`score_task`], with a sound one of another model beside it.
fn write_foreign(folder: &Path, text: &str) {
    let foreign = folder.join("results/org__old/abc");
    fs::create_dir_all(&foreign).unwrap();
    fs::write(foreign.join("model_meta.json"), r#"{"name": "org/old", "revision": "abc"}"#).unwrap();
    fs::write(foreign.join("Edited.json"), text).unwrap();
}

#[test]
fn a_result_of_others_that_cannot_be_right_is_named_and_left_out() {
    let folder = tempfile::tempdir().unwrap();
    score_task(folder.path());
    let entry = |subset: &str, main: &str| {
        format!(
            r#"{{"hf_subset": "{subset}", "languages": ["ind-Latn"], "main_score": {main}, "cosine_spearman": 0.6}}"#
        )
    };
    let file = |entries: &[String]| {
        let head = r#"{"dataset_revision": "1", "task_name": "Edited", "mteb_version": "1.12.0", "evaluation_time": 3,"#;
        format!(r#"{head} "scores": {{"test": [{}]}}}}"#, entries.join(", "))
    };
    let jav = entry("jav", "0.6");
    write_foreign(folder.path(), &file(&[entry("ind", "0.6"), jav.clone()]));
    let board = leaderboard(folder.path());
    let is_counted = board.stdout.contains("org/old") && !board.stderr.contains("left out");
    assert!(is_counted, "{}{}", board.stdout, board.stderr);
    for (entries, expected) in [
        (
            [entry("ind", "0.999"), jav.clone()],
            "subset ind: left out: expected `main_score` to be one of the scores, found: 0.999",
        ),
        ([jav.clone(), entry("jav", "0.6")], "subset jav: left out: expected one entry, found two"),
        ([entry("ind", "\"0.6\""), jav.clone()], "invalid type: string \"0.6\""),
        ([entry("ind", "true"), jav], "invalid type: boolean `true`"),
    ] {
        write_foreign(folder.path(), &file(&entries));
        let board = leaderboard(folder.path());
        assert_eq!(board.code, Some(0), "{}", board.stderr);
        let said = board.stderr.lines().any(|line| line.contains(": left out: ") && line.contains(expected));
        assert!(said, "{expected}: {}", board.stderr);
    }
}

#[test]
fn an_old_result_without_a_number_or_of_another_subset_is_named() {
    let folder = tempfile::tempdir().unwrap();
    score_task(folder.path());
    fs::remove_dir_all(folder.path().join("results")).unwrap();
    let old = |subset: &str, score: &str| {
        format!(
            r#"{{"mteb_dataset_name": "Edited", "mteb_version": "1.0.2", "test": {{"{subset}": {{"cos_sim": {{"spearman": {score}}}}}}}}}"#
        )
    };
    let mut cases: Vec<(String, &str)> = ["NaN", "null", "\"0.6\"", "true", "[0.6]"]
        .map(|score| (old("ind", score), "score `cosine_spearman`: expected a number, found none"))
        .to_vec();
    cases.push((
        old("en", "0.6"),
        "Edited.json: left out: expected a score of a split and subset that the task has",
    ));
    for (text, expected) in cases {
        write_foreign(folder.path(), &text);
        let board = Run::of(host(folder.path()).args(["leaderboard", "--registry", "task.toml"])).unwrap();
        assert_eq!(board.code, Some(2), "{text}: {}", board.stderr);
        assert!(board.stderr.contains(expected), "{text}: {}", board.stderr);
    }
}

#[test]
fn a_run_takes_nothing_as_done_that_a_board_leaves_out() {
    let folder = tempfile::tempdir().unwrap();
    let file = score_task(folder.path());
    let sound = fs::read_to_string(&file).unwrap();
    for (before, after) in [
        ("\"scores\": {", "\"scores\": {}, \"scores\": {"),
        ("\"mteb_host\": {", "\"mteb_host\": {}, \"mteb_host\": {"),
        ("\"main_score\": ", "\"main_score\": 0.5, \"main_score\": "),
        ("\"hf_subset\": ", "\"hf_subset\": \"x\", \"hf_subset\": "),
        ("\"cosine_spearman\": ", "\"cosine_spearman\": 0.5, \"cosine_spearman\": "),
        ("\"test\": [", "\"test\": [], \"test\": ["),
        ("\"evaluation_time\": ", "\"evaluation_time\": \"x\", \"other_time\": "),
    ] {
        let edited = sound.replacen(before, after, 1);
        assert_ne!(edited, sound, "{before}");
        fs::write(&file, &edited).unwrap();
        let board = leaderboard(folder.path());
        assert!(board.stderr.contains("Edited.json: left out: "), "{after}: {}", board.stderr);
        let run = ["run", "--registry", "task.toml", "--model", "hashing", "--quiet"];
        let run = Run::of(host(folder.path()).args(run)).unwrap();
        assert_eq!(run.code, Some(1), "{after}: {}", run.stderr);
        assert!(
            run.stderr.contains("move it away, or run with `--overwrite always`"),
            "{after}: {}",
            run.stderr
        );
        assert_eq!(fs::read_to_string(&file).unwrap(), edited, "{after}");
    }
}

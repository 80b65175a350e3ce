//! Results of others that cannot be right, and what a run and a board agree on.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};

use super::results::{leaderboard, scored};

/// Writes a file of others for the task of [`scored`], with a sound one of another model beside it.
fn write_foreign(folder: &Path, text: &str) {
    let foreign = folder.join("results/org__old/abc");
    fs::create_dir_all(&foreign).unwrap();
    fs::write(foreign.join("model_meta.json"), r#"{"name": "org/old", "revision": "abc"}"#).unwrap();
    fs::write(foreign.join("Edited.json"), text).unwrap();
}

#[test]
fn a_result_of_others_that_cannot_be_right_is_named_and_left_out() {
    let folder = tempfile::tempdir().unwrap();
    scored(folder.path());
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
    scored(folder.path());
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
    let file = scored(folder.path());
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

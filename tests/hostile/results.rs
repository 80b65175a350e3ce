//! Result files that somebody has edited, and several runs over one folder.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use mteb_host_tests::{Run, host, write_pair_card, write_pairs};
use serde_json::Value;

/// The task, scored by the model `hashing` below `results`; gives the result file.
pub fn score_task(folder: &Path) -> PathBuf {
    write_pair_card(folder, "Edited", &["ind", "jav"]).unwrap();
    for subset in ["ind", "jav"] {
        write_pairs(folder, subset, [("a b", "b c", 1.0), ("d e f", "d e", 4.0), ("b c", "b", 2.0)]).unwrap();
    }
    let arguments = ["run", "--registry", "task.toml", "--model", "hashing", "--quiet"];
    let run = Run::of(host(folder).args(arguments)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    folder.join("results/mteb-host__hashing/1/Edited.json")
}

/// The results of another model, which nobody edits: those of the reference, without what only this host adds.
fn write_reference(folder: &Path, file: &Path) {
    let beside = folder.join("results/org__sound/1");
    fs::create_dir_all(&beside).unwrap();
    let mut json: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    json.as_object_mut().unwrap().remove("mteb_host");
    fs::write(beside.join("Edited.json"), json.to_string()).unwrap();
}

pub fn leaderboard(folder: &Path) -> Run {
    Run::of(host(folder).arg("leaderboard")).unwrap()
}

#[test]
fn a_folder_whose_name_is_no_text_stands_in_json_as_well_as_it_can() {
    let folder = tempfile::tempdir().unwrap();
    score_task(folder.path());
    let (results, odd) = (folder.path().join("results"), OsStr::from_bytes(b"caf\xe9"));
    fs::rename(results.join("mteb-host__hashing"), results.join(odd)).unwrap();
    let board = Run::of(host(folder.path()).args(["leaderboard", "--json"])).unwrap();
    assert_eq!(board.code, Some(0), "{}", board.stderr);
    let board = board.json().unwrap();
    assert!(board[0]["folders"][0].as_str().unwrap().contains("caf\u{fffd}"), "{board}");
    let mut command = host(folder.path());
    command.args(["run", "--registry", "task.toml", "--model", "hashing", "--quiet", "--json"]);
    let run = Run::of(command.arg("--output-folder").arg(odd)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let report = run.json().unwrap();
    assert!(report["results_folder"].as_str().unwrap().contains("caf\u{fffd}"), "{report}");
}

#[test]
fn a_model_whose_results_are_all_left_out_is_not_said_to_have_none() {
    let folder = tempfile::tempdir().unwrap();
    let file = score_task(folder.path());
    fs::write(&file, "{}").unwrap();
    let run = Run::of(host(folder.path()).args(["show", "results", "mteb-host/hashing"])).unwrap();
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert!(lines[0].contains("Edited.json: left out: "), "{}", run.stderr);
    let said =
        "error: expected results of mteb-host/hashing, found only ones that were skipped, each named above";
    assert_eq!(lines[1..], [said]);
    let other = Run::of(host(folder.path()).args(["show", "results", "mteb-host/random"])).unwrap();
    assert!(other.code == Some(2) && other.stderr.lines().count() == 1, "{}", other.stderr);
}

#[test]
fn an_edited_result_is_named_and_left_out_while_the_others_stand() {
    let folder = tempfile::tempdir().unwrap();
    let file = score_task(folder.path());
    write_reference(folder.path(), &file);
    let sound: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let place = "/scores/test/0";
    let cases = [
        ("main_score", serde_json::json!(999.0), "expected a number from -1 to 1"),
        ("main_score", serde_json::json!(-5), "expected a number from -1 to 1"),
        ("main_score", serde_json::json!(1e308), "expected a number from -1 to 1"),
        ("main_score", serde_json::json!(0.123), "expected `main_score` to be "),
        (
            "pearson",
            serde_json::json!(7),
            "score `pearson`: expected a number from -1 to 1, or none, found 7",
        ),
        ("hf_subset", serde_json::json!("jav"), "subset jav: expected one entry, found two"),
        ("mteb_version", serde_json::json!("1.0"), "expected scores of mteb 2.26.24, found: 1.0"),
    ];
    for (key, value, expected) in cases {
        let mut edited = sound.clone();
        edited.pointer_mut(place).unwrap()[key] = value;
        is_left_out(folder.path(), &file, edited.to_string().as_bytes(), expected);
    }
    for (key, value, expected) in [
        ("task_name", "Other", "expected results of the task Edited, found: Other"),
        ("mteb_version", "3.0", "expected scores of mteb 2.26.24, found: 3.0"),
    ] {
        let mut edited = sound.clone();
        edited[key] = value.into();
        is_left_out(folder.path(), &file, edited.to_string().as_bytes(), expected);
    }
    let mut other = sound.clone();
    other["mteb_host"]["model"]["name"] = "org/other".into();
    is_left_out(
        folder.path(),
        &file,
        other.to_string().as_bytes(),
        "expected results of the model mteb-host/hashing",
    );
    is_left_out(folder.path(), &file, b"{\"task_name\": \"Edit\xff\"}", "expected UTF-8");
    is_left_out(folder.path(), &file, b"[]", "expected a result file, found other JSON");
}

#[test]
fn a_run_scores_again_the_edited_unit_alone_and_keeps_a_copy() {
    let folder = tempfile::tempdir().unwrap();
    let file = score_task(folder.path());
    let sound: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let mut edited = sound.clone();
    edited.pointer_mut("/scores/test/0").unwrap()["main_score"] = serde_json::json!(999);
    fs::write(&file, edited.to_string()).unwrap();
    let board = leaderboard(folder.path());
    assert!(
        board.stderr.contains("Edited.json: left out: split test, subset ind: score `main_score`: expected "),
        "{}",
        board.stderr
    );
    let arguments = ["run", "--registry", "task.toml", "--model", "hashing"];
    // The other unit is not lost where it alone is asked for.
    let other = Run::of(host(folder.path()).args(arguments).args(["--task", "Edited:jav"])).unwrap();
    assert_eq!(other.code, Some(0), "{}", other.stderr);
    let run = Run::of(host(folder.path()).args(arguments)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let said = "subset ind: will be scored again: its result cannot be right: score `main_score`: expected ";
    assert!(run.stderr.contains(said) || run.stdout.contains(said), "{}{}", run.stdout, run.stderr);
    let now: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    assert_eq!(now.pointer("/scores"), sound.pointer("/scores"));
    assert_eq!(fs::read_dir(file.with_file_name("superseded")).unwrap().count(), 1);
}

fn is_left_out(folder: &Path, file: &Path, bytes: &[u8], expected: &str) {
    fs::write(file, bytes).unwrap();
    let board = leaderboard(folder);
    assert_eq!(board.code, Some(0), "{}", board.stderr);
    assert!(
        board.stderr.contains("left out: ") && board.stderr.contains(expected),
        "{expected}: {}",
        board.stderr
    );
    assert!(board.stderr.contains("Edited"), "{}", board.stderr);
    let hashing: Vec<&str> = board.stdout.lines().filter(|line| line.contains("hashing")).collect();
    assert!(hashing.iter().all(|line| line.starts_with("| – |")), "{expected}: {}", board.stdout);
    assert!(board.stdout.contains("| 1 | org/sound |"), "{}", board.stdout);
}

#[test]
fn a_result_that_is_no_file_is_named_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = score_task(folder.path());
    write_reference(folder.path(), &file);
    fs::remove_file(&file).unwrap();
    assert!(Command::new("mkfifo").arg(&file).status().unwrap().success());
    let board = leaderboard(folder.path());
    assert!(board.stderr.contains("left out: expected a regular file, found a "), "{}", board.stderr);
    fs::remove_file(&file).unwrap();
    symlink("/dev/zero", &file).unwrap();
    let board = leaderboard(folder.path());
    assert!(board.stderr.contains("left out: expected a regular file, found a "), "{}", board.stderr);
}

#[test]
fn a_name_of_a_model_forges_no_row_of_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let file = score_task(folder.path());
    write_reference(folder.path(), &file);
    let name = "x | 99.99 |\n| 1 | [best](javascript:alert(1)) <script> `y`";
    let meta = serde_json::json!({ "name": name, "revision": "1" }).to_string();
    fs::write(folder.path().join("results/org__sound/1/model_meta.json"), meta).unwrap();
    let board = leaderboard(folder.path());
    let expected =
        "x \\| 99.99 \\|\\\\u000a\\| 1 \\| \\[best\\](javascript:alert(1)) &lt;script&gt; \\`y\\` |";
    assert_eq!(board.stdout.matches("javascript").count(), 1, "{}", board.stdout);
    assert!(board.stdout.contains(expected), "{}", board.stdout);
    let rows = board.stdout.lines().filter(|line| line.starts_with('|')).count();
    assert_eq!(rows, 4, "a header, a rule, and a row for each of two models: {}", board.stdout);
}

#[test]
fn a_main_score_that_is_not_the_score_it_stands_for_is_named_and_scored_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = score_task(folder.path());
    let sound: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let named = sound.pointer("/scores/test/0/cosine_spearman").unwrap().as_f64().unwrap();
    for (edit, expected) in [
        (
            serde_json::json!(named - 0.25),
            format!("expected `main_score` to be one of the scores, found: {}", named - 0.25),
        ),
        (serde_json::json!("0.9"), "expected `main_score` to be a number, found: \"0.9\"".to_owned()),
        (serde_json::json!(true), "expected `main_score` to be a number, found: true".to_owned()),
        (Value::Null, "expected `main_score` to be the score `cosine_spearman`".to_owned()),
    ] {
        let mut edited = sound.clone();
        edited.pointer_mut("/scores/test/0").unwrap()["main_score"] = edit;
        fs::write(&file, edited.to_string()).unwrap();
        // Without a card nobody knows which score it stands for.
        if !edited["scores"]["test"][0]["main_score"].is_null() {
            let board = leaderboard(folder.path());
            assert!(board.stderr.contains(": left out: "), "{expected}: {}", board.stderr);
        }
        let arguments = ["run", "--registry", "task.toml", "--model", "hashing"];
        let run = Run::of(host(folder.path()).args(arguments)).unwrap();
        assert!(run.stderr.contains(&expected), "{expected}: {}", run.stderr);
        // What is no result at all is the user's to move away.
        let is_refused = run.stderr.contains("move it away, or run with `--overwrite always`");
        assert_eq!(run.code, Some(i32::from(is_refused)), "{}", run.stderr);
        if is_refused {
            Run::of(host(folder.path()).args(arguments).args(["--overwrite", "always"])).unwrap();
        }
        let now: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        assert_eq!(now.pointer("/scores"), sound.pointer("/scores"), "{expected}");
    }
}

/// Runs the task of [`score_task`] once more.
fn run_again(folder: &Path, more: &[&str]) -> Run {
    let arguments = ["run", "--registry", "task.toml", "--model", "hashing", "--quiet"];
    let run = Run::of(host(folder).args(arguments).args(more)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run
}

#[test]
fn what_others_have_noted_in_a_result_stays_when_it_is_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = score_task(folder.path());
    let run = |more: &[&str]| run_again(folder.path(), more);
    let read = || -> Value { serde_json::from_slice(&fs::read(&file).unwrap()).unwrap() };
    let note = |edit: fn(&mut Value)| {
        let mut noted = read();
        noted["kg_co2_emissions"] = 0.0314.into();
        noted["my_notes"] = "precious".into();
        noted["evaluation_phases"].as_array_mut().unwrap().push(serde_json::json!({"mine": 1}));
        edit(&mut noted);
        fs::write(&file, noted.to_string()).unwrap();
    };
    let check = |what: &str| {
        let now = read();
        let phases = now["evaluation_phases"].as_array().unwrap();
        let has_phase = phases.contains(&serde_json::json!({"mine": 1}));
        let kept = (&now["kg_co2_emissions"], &now["my_notes"], has_phase);
        assert_eq!(kept, (&0.0314.into(), &"precious".into(), true), "{what}");
    };
    // The languages of the card are others now.
    note(|file| file["scores"]["test"][0]["languages"] = serde_json::json!(["eng-Latn"]));
    assert!(run(&[]).stderr.contains("updated in the result"), "{file:?}");
    check("languages");
    // A subset is missing.
    note(|file| drop(file["scores"]["test"].as_array_mut().unwrap().remove(0)));
    run(&[]);
    assert_eq!(read()["scores"]["test"].as_array().unwrap().len(), 2);
    check("a subset");
    note(|_| ());
    run(&["--overwrite", "always"]);
    check("all");
}

#[test]
fn whole_numbers_of_any_length_that_others_have_noted_keep_their_digits() {
    let folder = tempfile::tempdir().unwrap();
    let file = score_task(folder.path());
    let meta = file.with_file_name("model_meta.json");
    let numbers = ["18446744073709551615", "-123456789012345678901234567890", "9223372036854775807"];
    for file in [&file, &meta] {
        let text = fs::read_to_string(file).unwrap();
        let ids = format!("{{\"ids\": [{}],", numbers.join(", "));
        fs::write(file, text.replacen('{', &ids, 1)).unwrap();
    }
    run_again(folder.path(), &["--overwrite", "always"]);
    for file in [&file, &meta] {
        let text = fs::read_to_string(file).unwrap();
        for number in numbers {
            assert!(text.contains(&format!(" {number}")), "{number}: {text}");
        }
    }
}

#[test]
fn the_description_of_another_model_or_revision_is_kept_aside() {
    let folder = tempfile::tempdir().unwrap();
    let file = score_task(folder.path());
    let (meta, superseded) = (file.with_file_name("model_meta.json"), file.with_file_name("superseded"));
    let ours: Value = serde_json::from_slice(&fs::read(&meta).unwrap()).unwrap();
    let run = || {
        let arguments = ["run", "--registry", "task.toml", "--model", "hashing", "--quiet"];
        let run = Run::of(host(folder.path()).args(arguments)).unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run
    };
    for (number, (key, value)) in
        [("name", Value::from("x/y")), ("revision", "9".into()), ("name", Value::Null)]
            .into_iter()
            .enumerate()
    {
        let mut other = ours.clone();
        other[key] = value;
        other["citation"] = "MINE".into();
        fs::write(&meta, other.to_string()).unwrap();
        let said = "model_meta.json: expected a JSON object about the model mteb-host/hashing, revision 1, found something else";
        let run = run();
        assert!(run.stderr.contains(said), "{key}: {}", run.stderr);
        assert_eq!(serde_json::from_slice::<Value>(&fs::read(&meta).unwrap()).unwrap(), ours);
        assert_eq!(fs::read_dir(&superseded).unwrap().count(), number + 1);
    }
    let mut noted = ours.clone();
    noted["my_notes"] = "precious".into();
    fs::write(&meta, noted.to_string()).unwrap();
    assert_eq!(run().stderr, "");
    assert_eq!(serde_json::from_slice::<Value>(&fs::read(&meta).unwrap()).unwrap()["my_notes"], "precious");
}

#[test]
fn a_link_in_the_place_of_a_result_is_kept_aside_and_what_it_leads_to_stays() {
    let folder = tempfile::tempdir().unwrap();
    let file = score_task(folder.path());
    let target = folder.path().join("elsewhere.json");
    fs::rename(&file, &target).unwrap();
    symlink(&target, &file).unwrap();
    let before = fs::read(&target).unwrap();
    let run = |more: &[&str]| run_again(folder.path(), more);
    assert_eq!(run(&[]).stderr, "", "what is read through a link is done");
    let run = run(&["--overwrite", "always"]);
    assert!(
        run.stderr.contains("Edited.json: expected a regular file, found something else; it is kept as "),
        "{}",
        run.stderr
    );
    assert_eq!(fs::read(&target).unwrap(), before);
    assert!(!file.is_symlink());
    let kept = fs::read_dir(file.with_file_name("superseded")).unwrap();
    assert!(kept.flatten().any(|entry| entry.path().is_symlink()));
}

//! Texts as the world writes them, through the real binary with the default model.

use std::fs;

use mteb_host_tests::{Run, host, write_pair_card, write_pairs};
use serde_json::{Value, json};

#[test]
fn odd_texts_are_scored_and_are_different_texts_where_their_bytes_differ() {
    let megabyte = "panjang ".repeat(1 << 17);
    let pairs = [
        ("", ""),
        (" ", "\t\n"),
        ("nul\0nul", "nul"),
        ("شكرا جزيلا", "\u{202e}terbalik\u{202c}"),
        ("caf\u{e9}", "cafe\u{301}"),
        ("👩‍👩‍👧‍👦", "\u{feff}bom"),
        ("\u{1b}[31mmerah", "\u{fffd}"),
        (&megabyte, "pendek"),
    ];
    let rows = pairs.iter().enumerate().map(|(row, (left, right))| {
        json!({"sentence1": left, "sentence2": right, "score": row}).to_string() + "\n"
    });
    let run = score(&rows.collect::<String>().into_bytes());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.json().unwrap()["mean_task"].is_number());
}

#[test]
fn a_hundred_thousand_identical_texts_are_encoded_once() {
    let row = json!({"sentence1": "sama saja", "sentence2": "sama saja", "score": 1}).to_string() + "\n";
    let last = json!({"sentence1": "lain", "sentence2": "beda", "score": 0}).to_string() + "\n";
    let run = score((row.repeat(50_000) + &last).as_bytes());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn invalid_utf8_is_named_with_file_and_line() {
    let rows = b"{\"sentence1\": \"a\", \"sentence2\": \"b\", \"score\": 1}\n{\"sentence1\": \"\xff\", \"sentence2\": \"b\", \"score\": 2}\n";
    let reason = reason(&score(rows));
    assert!(reason.contains("d.jsonl, line 2"), "{reason}");
    assert!(reason.contains("UTF-8"), "{reason}");
}

#[test]
fn a_lone_surrogate_is_named_with_file_and_line() {
    let rows = b"{\"sentence1\": \"a\", \"sentence2\": \"b\", \"score\": 1}\n{\"sentence1\": \"x\\ud800y\", \"sentence2\": \"b\", \"score\": 2}\n";
    let reason = reason(&score(rows));
    assert!(reason.contains("d.jsonl, line 2"), "{reason}");
}

#[test]
fn files_and_processes_stay_constant_over_a_thousand_units() {
    let folder = tempfile::tempdir().unwrap();
    let codes: Vec<String> = (0..1000).map(|number| format!("s{number:03}")).collect();
    write_pair_card(folder.path(), "Texts", &codes).unwrap();
    for (number, code) in codes.iter().enumerate() {
        let pairs = [("satu", code, (number % 5) as f64), ("dua tiga", code, 6.0)];
        write_pairs(folder.path(), code, pairs).unwrap();
    }
    let mut command = host(folder.path());
    command.args(["run", "--registry", "task.toml", "--quiet"]);
    let mut run = command.spawn().unwrap();
    let mut seen = Vec::new();
    while run.try_wait().unwrap().is_none() {
        let files = fs::read_dir(format!("/proc/{}/fd", run.id())).map(Iterator::count);
        seen.push((files.unwrap_or_default(), super::machine::children(run.id()).len()));
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(run.wait().unwrap().success());
    let file = folder.path().join("results/mteb-host__hashing/1/Texts.json");
    let scores: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    assert_eq!(scores["scores"]["test"].as_array().unwrap().len(), 1000, "units that were written late");
    let most = |of: fn(&(usize, usize)) -> usize| seen.iter().map(of).max().unwrap();
    assert!(most(|seen| seen.0) < 40, "open files: {seen:?}");
    assert!(most(|seen| seen.1) <= 1, "workers: {seen:?}");
}

fn reason(run: &Run) -> String {
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let unit: Value = run.json().unwrap()["tasks"][0]["units"][0].clone();
    unit["reason"].as_str().unwrap().to_owned()
}

/// Scores the default model on pairs in JSON lines.
fn score(rows: &[u8]) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let card = "schema = 1\nname = \"Texts\"\ntype = \"STS\"\ndescription = \"For tests.\"\nlanguages = [\"ind-Latn\"]\n\
                [dataset]\npath = \"d.jsonl\"\n";
    fs::write(folder.path().join("t.toml"), card).unwrap();
    fs::write(folder.path().join("d.jsonl"), rows).unwrap();
    Run::of(host(folder.path()).args(["run", "--registry", "t.toml", "--json"])).unwrap()
}

//! Faults of data, of result files and of task packs; and texts as the world writes them, through the real
//! binary with the default model.

use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use mteb_host_tests::{Run, faulty_plugin, host, trust, write_pair_card, write_pairs};
use serde_json::{Value, json};

use super::machine::{run, states, units, write_task};

#[test]
fn a_bad_row_is_named_with_file_row_and_column() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path(), "fine");
    let rows = "{\"sentence1\": \"a\", \"sentence2\": \"b\", \"score\": 1}\n{\"sentence1\": 5, \"sentence2\": \"b\", \"score\": 2}\n";
    fs::write(folder.path().join("data/jav/test.jsonl"), rows).unwrap();
    let run = run(folder.path());
    assert_eq!(run.code, Some(1));
    let units = units(&run);
    assert_eq!(states(&units), ["scored", "failed", "scored"]);
    let reason = units[1]["reason"].as_str().unwrap();
    assert!(
        reason.ends_with(
            "data/jav/test.jsonl, line 2, column `sentence1`: expected a string, found a number: 5"
        ),
        "{reason}"
    );
}

#[test]
fn a_small_file_that_unpacks_to_more_than_the_memory_holds_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path(), "fine");
    let mut member = GzEncoder::new(Vec::new(), Compression::best());
    member.write_all(format!("{}\n", " ".repeat(1 << 20)).as_bytes()).unwrap();
    let member = member.finish().unwrap();
    let subset = folder.path().join("data/jav");
    fs::remove_file(subset.join("test.jsonl")).unwrap();
    fs::write(subset.join("test.jsonl.gz"), member.repeat(1100)).unwrap();
    let run = run(folder.path());
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let units = units(&run);
    assert_eq!(states(&units), ["scored", "failed", "scored"]);
    let reason = units[1]["reason"].as_str().unwrap();
    assert!(reason.contains("test.jsonl.gz"), "{reason}");
    assert!(reason.contains("expected at most 1073741824 bytes of unpacked data, found more"), "{reason}");
}

#[test]
fn a_damaged_result_file_is_never_overwritten_unasked() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path(), "fine");
    let file = folder.path().join("results/tests__faulty/1/Trigger.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "{ \"scores\": ").unwrap();
    let refused = run(folder.path());
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("run with `--overwrite always`"), "{}", refused.stderr);
    assert_eq!(fs::read_to_string(&file).unwrap(), "{ \"scores\": ");
}

#[test]
fn a_pack_with_a_bad_task_still_gives_its_sound_one() {
    let folder = tempfile::tempdir().unwrap();
    let plugins = folder.path().join("plugins");
    faulty_plugin("faulty_pack", &plugins).unwrap();
    trust(folder.path(), &plugins).unwrap();
    fs::write(folder.path().join("r.toml"), "schema = 1\nname = \"r\"\npacks = [\"faulty-pack\"]\n").unwrap();
    let mut command = host(folder.path());
    command.args(["run", "--registry", "r.toml", "--json", "--plugin-dir"]).arg(&plugins);
    let run = Run::of(&mut command).unwrap();
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let report = run.json().unwrap();
    let outcome = |task: &str| {
        let tasks = report["tasks"].as_array().unwrap();
        tasks.iter().find(|found| found["task"] == task).unwrap()["units"][0].clone()
    };
    assert_eq!(outcome("SoundTask")["state"], "scored");
    let reason = |task: &str| outcome(task)["reason"].as_str().unwrap().to_owned();
    let torn = reason("TornTask");
    assert!(torn.contains("line 2"), "{torn}");
    let narrow = reason("NarrowTask");
    assert!(narrow.contains("`sentence2`"), "{narrow}");
    let dying = reason("DyingTask");
    assert!(dying.contains("was killed by signal 6 (abort)"), "{dying}");
    let damaged = outcome("DamagedTask")["reason"].as_str().unwrap().to_owned();
    assert!(
        damaged.ends_with("line 2, column `score`: expected a number, found a string: \"lima\""),
        "{damaged}"
    );
    let panicking = outcome("PanickingTask")["reason"].as_str().unwrap().to_owned();
    assert!(panicking.contains("no rows today"), "{panicking}");
}

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
    let scores = fs::read_to_string(file).unwrap();
    assert_eq!(scores.matches("\"hf_subset\"").count(), 1000, "units that were written late");
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

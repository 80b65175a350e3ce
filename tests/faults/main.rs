//! Whatever a plugin or data does, the rest of the run goes on and the failure is named.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it did not expect"
)]

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, faulty_plugin, host};
use serde_json::Value;

#[test]
fn a_panic_fails_its_unit_and_is_named_with_its_place() {
    let (run, units) = run_with_trigger("PANIC");
    assert_eq!(run.code, Some(1));
    assert_eq!(states(&units), ["scored", "failed", "scored"]);
    let reason = units[1]["reason"].as_str().unwrap();
    assert!(reason.contains("the plugin panicked at tests/plugins/faulty_model.rs:"), "{reason}");
    assert!(reason.ends_with("this text is not for me"), "{reason}");
}

#[test]
fn a_segmentation_fault_fails_its_unit_alone() {
    let (run, units) = run_with_trigger("SEGFAULT");
    assert_eq!(run.code, Some(1));
    assert_eq!(states(&units), ["scored", "failed", "scored"]);
    let reason = units[1]["reason"].as_str().unwrap();
    assert!(reason.contains("was killed by signal 11 (segmentation fault)"), "{reason}");
}

#[test]
fn a_value_that_is_not_finite_fails_its_unit() {
    let (run, units) = run_with_trigger("NAN");
    assert_eq!(run.code, Some(1));
    assert_eq!(states(&units), ["scored", "failed", "scored"]);
    let reason = units[1]["reason"].as_str().unwrap();
    assert_eq!(
        reason,
        "model tests/faulty: expected finite numbers, found NaN in the embedding of the text: \"NAN\"; \
         the model or its dtype is broken for this text"
    );
}

#[test]
fn a_plugin_that_ends_its_process_fails_its_unit() {
    let (run, units) = run_with_trigger("EXIT");
    assert_eq!(run.code, Some(1));
    assert_eq!(states(&units), ["scored", "failed", "scored"]);
    assert!(units[1]["reason"].as_str().unwrap().contains("ended with exit code 7"));
}

#[test]
fn an_error_of_the_plugin_is_passed_on() {
    let (run, units) = run_with_trigger("ERROR");
    assert_eq!(run.code, Some(1));
    assert!(units[1]["reason"].as_str().unwrap().ends_with("this text cannot be encoded"));
}

#[test]
fn what_a_plugin_prints_does_not_reach_standard_output() {
    let (run, units) = run_with_trigger("PRINT");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(states(&units), ["scored", "scored", "scored"]);
}

#[test]
fn a_failed_unit_is_scored_by_the_next_run_and_the_others_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path(), "ERROR");
    assert_eq!(run(folder.path()).code, Some(1));
    write_task(folder.path(), "mended");
    let again = run(folder.path());
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    assert_eq!(states(&units(&again)), ["found", "scored", "found"]);
}

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
fn a_pack_with_a_bad_task_still_gives_its_sound_one() {
    let folder = tempfile::tempdir().unwrap();
    let plugins = folder.path().join("plugins");
    faulty_plugin("faulty_pack", &plugins).unwrap();
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
    let damaged = outcome("DamagedTask")["reason"].as_str().unwrap().to_owned();
    assert!(
        damaged.ends_with("line 2, column `score`: expected a number, found a string: \"lima\""),
        "{damaged}"
    );
    let panicking = outcome("PanickingTask")["reason"].as_str().unwrap().to_owned();
    assert!(panicking.contains("no rows today"), "{panicking}");
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

fn run_with_trigger(trigger: &str) -> (Run, Vec<Value>) {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path(), trigger);
    let run = run(folder.path());
    let units = units(&run);
    (run, units)
}

/// A task of three subsets; the second holds the trigger.
fn write_task(folder: &Path, trigger: &str) {
    let card = r#"
schema = 1
name = "Trigger"
type = "STS"
description = "For tests."
[dataset]
path = "data"
[subsets]
ind = { languages = ["ind-Latn"] }
jav = { languages = ["jav-Latn"] }
sun = { languages = ["sun-Latn"] }
"#;
    fs::write(folder.join("trigger.toml"), card).unwrap();
    for subset in ["ind", "jav", "sun"] {
        let word = if subset == "jav" { trigger } else { "fine" };
        let row = |text: &str, score: f64| {
            format!("{{\"sentence1\": \"{text}\", \"sentence2\": \"b c\", \"score\": {score}}}\n")
        };
        let rows = row("a", 1.0) + &row(word, 2.0) + &row("d e f", 4.0);
        fs::create_dir_all(folder.join("data").join(subset)).unwrap();
        fs::write(folder.join("data").join(subset).join("test.jsonl"), rows).unwrap();
    }
}

fn run(folder: &Path) -> Run {
    let plugins = folder.join("plugins");
    faulty_plugin("faulty_model", &plugins).unwrap();
    let mut command = host(folder);
    command.args(["run", "--registry", "trigger.toml", "--model", "faulty", "--json", "--plugin-dir"]);
    Run::of(command.arg(&plugins)).unwrap()
}

fn units(run: &Run) -> Vec<Value> {
    let report = run.json().unwrap_or_else(|_| panic!("no report: {}", run.stderr));
    report["tasks"][0]["units"].as_array().unwrap().clone()
}

fn states(units: &[Value]) -> Vec<&str> {
    units.iter().map(|unit| unit["state"].as_str().unwrap()).collect()
}

//! A small task whose second unit holds the text that makes the faulty model misbehave.

use std::fs;
use std::path::Path;
use std::process::Command;

use mteb_host_tests::{Run, faulty_plugin, host, trust};
use serde_json::{Value, json};

/// Runs the task with `trigger` in its second unit; the run and what became of the units.
pub fn run_with_trigger(trigger: &str) -> (Run, Vec<Value>) {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path(), trigger);
    let run = run(folder.path());
    let units = units(&run);
    (run, units)
}

/// A task of three subsets; the second holds the trigger.
pub fn write_task(folder: &Path, trigger: &str) {
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
        let row = |text: &str, score: f64| (text.to_owned(), "b c".to_owned(), score);
        write_rows(folder, subset, [row("a", 1.0), row(word, 2.0), row("d e f", 4.0)]);
    }
}

/// Writes the pairs of a subset.
pub fn write_rows(folder: &Path, subset: &str, rows: impl IntoIterator<Item = (String, String, f64)>) {
    let line = |(left, right, score): (String, String, f64)| {
        json!({"sentence1": left, "sentence2": right, "score": score}).to_string() + "\n"
    };
    fs::create_dir_all(folder.join("data").join(subset)).unwrap();
    let text: String = rows.into_iter().map(line).collect();
    fs::write(folder.join("data").join(subset).join("test.jsonl"), text).unwrap();
}

/// Runs the task of `folder` with the faulty model.
pub fn run(folder: &Path) -> Run {
    run_with(folder, &[])
}

/// The same with more arguments.
pub fn run_with(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(command(folder).args(["--model", "faulty"]).args(arguments)).unwrap()
}

/// The command without a model; the faulty plugin is installed and trusted.
pub fn command(folder: &Path) -> Command {
    let plugins = folder.join("plugins");
    if !plugins.exists() {
        faulty_plugin("faulty_model", &plugins).unwrap();
        trust(folder, &plugins).unwrap();
    }
    let mut command = host(folder);
    command.args(["run", "--registry", "trigger.toml", "--json", "--plugin-dir"]).arg(&plugins);
    command
}

/// What became of the units of the first task.
pub fn units(run: &Run) -> Vec<Value> {
    let report = run.json().unwrap_or_else(|_| panic!("no report: {}", run.stderr));
    report["tasks"][0]["units"].as_array().unwrap().clone()
}

/// The states of units.
pub fn states(units: &[Value]) -> Vec<&str> {
    units.iter().map(|unit| unit["state"].as_str().unwrap()).collect()
}

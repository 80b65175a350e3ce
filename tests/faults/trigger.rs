//! A small task whose second unit holds the text that makes the faulty model misbehave.

use std::path::Path;
use std::process::Command;

use mteb_host_tests::{Run, faulty_plugin, host, trust, write_pair_card, write_pairs};
use serde_json::Value;

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
    let subsets = ["ind", "jav", "sun"];
    write_pair_card(folder, "Trigger", &subsets).unwrap();
    for subset in subsets {
        let word = if subset == "jav" { trigger } else { "fine" };
        let pairs = [("a", "b c", 1.0), (word, "b c", 2.0), ("d e f", "b c", 4.0)];
        write_pairs(folder, subset, pairs).unwrap();
    }
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
    command.args(["run", "--registry", "task.toml", "--json", "--plugin-dir"]).arg(&plugins);
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

//! The ladder of models on the Indonesian pack: every set measured in one go, as tables of docs/indonesia.md.
//!
//! Results lie in `target/ladder`, so that a ladder that was stopped goes on where it was, and one on other data measures what changed.

mod differences;
mod rungs;
mod scores;

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use serde_json::Value;

use crate::command::{root, run_cargo, target_folder};
use crate::document::{machine, put_table, today};
use crate::python::{environment, filled};
use rungs::{BELOW, BEST, Model, Outcome, RANKED, RUNGS, Rung};

/// The document whose tables are written.
const DOCUMENT: &str = "docs/indonesia.md";

/// Models in Python that are no part of the host.
const MODELS: &str = "xtask/python/ladder_models.py";

/// The packages of the model whose runtime the tests do not use.
const USE: &str = "xtask/python/use.txt";

/// Measures every rung on every set and writes the tables. What was measured before on the same data is not measured again.
pub fn ladder() -> Result<ExitCode, String> {
    run_cargo(&["build", "--quiet", "--release", "--package", "mteb-host"])?;
    let tasks = host_json(&["list", "tasks", "--registry", "indonesia", "--json"])?;
    let mut columns = Vec::new();
    for rung in &RUNGS {
        println!("{}", rung.head);
        let outcome = measure(rung);
        if let Err(fault) = &outcome {
            eprintln!("{}: not measured: {fault}", rung.head);
        }
        columns.push(outcome);
    }
    let heads: Vec<&str> = RUNGS.iter().map(|rung| rung.head).collect();
    let measured = format!("made on {} ({})", today()?, machine());
    let text = [
        scores::table(&tasks, &heads, &columns, &format!("Version {} of the pack, {measured}", version()?)),
        differences::table(&tasks, &compared()),
    ];
    put_table(&root().join(DOCUMENT), "ladder", &text.join("\n"))?;
    let missing = scores::missing(&tasks, &heads, &columns);
    missing.iter().for_each(|line| eprintln!("missing: {line}"));
    Ok(if missing.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The folder of results.
fn folder() -> String {
    target_folder().join("ladder").to_string_lossy().into_owned()
}

/// What a run of a rung tells.
fn measure(rung: &Rung) -> Outcome {
    let (model, python) = match rung.model {
        Model::Host(name) | Model::Ranks(name) => (name.to_owned(), None),
        Model::Tests(class) => (format!("python:{MODELS}:{class}"), Some(environment()?)),
        Model::Own(class) => (format!("python:{MODELS}:{class}"), Some(own_environment()?)),
    };
    let python = python.map(|path| path.to_string_lossy().into_owned());
    let folder = folder();
    let mut arguments =
        vec!["run", "--registry", "indonesia", "--json", "--quiet", "--offline", "--outcomes"];
    arguments.extend(["--model", &model, "--output-folder", &folder]);
    if matches!(rung.model, Model::Ranks(_)) {
        arguments.extend(RANKED.iter().flat_map(|kind| ["--task-type", *kind]));
    }
    arguments.extend(python.iter().flat_map(|path| ["--python", path.as_str()]));
    host_json(&arguments)
}

fn own_environment() -> Result<PathBuf, String> {
    filled(&target_folder().join("use"), &root().join(USE), "100 MB")
}

/// The best model beside each of those below it.
fn compared() -> [Outcome; 3] {
    let name = |head: &str| RUNGS.iter().find(|rung| rung.head == head).map_or("", |rung| rung.name);
    let folder = folder();
    BELOW.map(|below| {
        let models = ["compare", name(below), name(BEST)];
        host_json(
            &[&models[..], &["--json", "--offline", "--registry", "indonesia", "--results", &folder]]
                .concat(),
        )
    })
}

/// The version of the pack.
fn version() -> Result<String, String> {
    let path = root().join("indonesia/Cargo.toml");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let version = text.lines().find_map(|line| line.strip_prefix("version = "));
    Ok(version.ok_or_else(|| format!("{}: expected a version", path.display()))?.trim_matches('"').to_owned())
}

/// What the host answers, also where some task failed.
fn host_json(arguments: &[&str]) -> Result<Value, String> {
    let mut command = Command::new(target_folder().join("release/mteb-host"));
    command.current_dir(root()).args(arguments);
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !said.is_empty() {
        eprint!("{said}");
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("{command:?}: no JSON: {error}: {said}"))
}

//! Benchmarks that run both sides in one go and print their ratio.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use serde_json::Value;

use crate::build::release;
use crate::command::{root, target_folder};

/// Tasks of the benchmark, one or more a task type that the hub folder has data for.
const TASKS: [&str; 9] = [
    "NusaX-senti",
    "Banking77Classification",
    "SIB200Classification:ind_Latn,jav_Latn",
    "SIB200ClusteringS2S",
    "STSBenchmark",
    "SciFact",
    "NTREXBitextMining:eng_Latn-ind_Latn,ind_Latn-eng_Latn",
    "NusaXBitextMining",
    "SemRel24STS:ind,eng",
];

const USAGE: &str = "\
usage: cargo xtask bench evaluators|encode

Needs a Python with mteb 2.26.24 (MTEB_PYTHON, default python3) and a hub folder (MTEB_HUB_DIR, default ../shared/hub).";

/// Runs the benchmark that `args` names.
pub fn bench(args: &[String]) -> Result<ExitCode, String> {
    match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["evaluators"] => evaluators(),
        ["encode"] => crate::bench_encode::encode(),
        _ => Err(USAGE.to_owned()),
    }
}

/// Every evaluator beside the reference's, with an encoder that costs next to nothing on both sides.
fn evaluators() -> Result<ExitCode, String> {
    release()?;
    let hub = variable("MTEB_HUB_DIR").unwrap_or_else(|| root().join("../shared/hub"));
    let python = variable("MTEB_PYTHON").unwrap_or_else(|| "python3".into());
    let ours = seconds_of_host(&hub)?;
    let theirs = seconds_of_reference(&python, &hub)?;
    println!("| task | mteb, s | mteb-host, s | ratio |\n|---|---:|---:|---:|");
    for task in TASKS {
        let name = task.split(':').next().unwrap_or(task);
        let (host, reference) = (number(&ours, name)?, number(&theirs, name)?);
        println!("| {name} | {reference:.2} | {host:.3} | {:.0} |", reference / host);
    }
    Ok(ExitCode::SUCCESS)
}

fn seconds_of_host(hub: &Path) -> Result<Value, String> {
    let folder = target_folder().join("bench");
    let mut command = Command::new(target_folder().join("release").join("mteb-host"));
    command.args(["run", "--model", "random", "--overwrite", "always", "--json", "--hub-dir"]).arg(hub);
    command.arg("--output-folder").arg(folder);
    for task in TASKS {
        command.args(["--task", task]);
    }
    let report = json_of(&mut command)?;
    let tasks = report["tasks"].as_array().cloned().unwrap_or_default();
    let seconds =
        tasks.iter().map(|task| (task["task"].as_str().unwrap_or("").to_owned(), task["seconds"].clone()));
    Ok(Value::Object(seconds.collect()))
}

fn seconds_of_reference(python: &Path, hub: &Path) -> Result<Value, String> {
    let mut command = Command::new(python);
    command.arg(root().join("xtask/bench/reference.py")).arg(hub).args(TASKS);
    json_of(&mut command)
}

/// Runs a command and reads the last JSON value of its standard output.
pub fn json_of(command: &mut Command) -> Result<Value, String> {
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let start = text.find("\n{").map_or(0, |line| line + 1);
    if !output.status.success() {
        return Err(format!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr)));
    }
    serde_json::from_str(text[start..].trim()).map_err(|error| format!("{command:?}: no JSON: {error}"))
}

fn number(seconds: &Value, task: &str) -> Result<f64, String> {
    seconds[task].as_f64().ok_or_else(|| format!("no time for {task}"))
}

/// A variable of the environment that is not empty.
pub fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

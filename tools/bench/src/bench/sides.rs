//! Runs the host and the reference on the same tasks: seconds and main scores; and the host with a model that
//! counts letters: it costs next to nothing, and its embeddings are kept, unlike those of the hashing encoder.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use xtask_start::command::{root, run_cargo, status, target_folder};

use super::datasets::{hub, registry};
use super::made::MadeTask;

/// What one side needed for a task, and what it found.
#[derive(Clone, Debug)]
pub struct Run {
    /// Seconds of the task, data loading included.
    pub seconds: f64,
    /// Main scores by split and subset.
    pub scores: BTreeMap<String, f64>,
}

impl Run {
    /// Largest difference of the main scores; an error if the runs do not score the same units.
    pub fn difference(&self, other: &Run) -> Result<f64, String> {
        if self.scores.len() != other.scores.len() {
            return Err(format!(
                "one side scores {} units, the other {}",
                self.scores.len(),
                other.scores.len()
            ));
        }
        self.scores.iter().try_fold(0.0f64, |largest, (unit, score)| {
            let other = other.scores.get(unit).ok_or_else(|| format!("one side has no score of {unit}"))?;
            Ok(largest.max((score - other).abs()))
        })
    }
}

/// Runs by task.
pub type Runs = BTreeMap<String, Run>;

/// The host, its arguments still to be given.
pub fn host_command() -> Command {
    Command::new(target_folder().join("release").join("mteb-host"))
}

/// Runs the host with the random encoder.
pub fn host(folder: &Path, tasks: &[&str]) -> Result<Runs, String> {
    host_with(folder, tasks, &["--model", "random", "--overwrite", "always"])
}

/// Runs the host with the arguments `more`, among them the model.
fn host_with(folder: &Path, tasks: &[&str], more: &[&str]) -> Result<Runs, String> {
    runs_of(&host_report(folder, tasks, more)?)
}

/// The same; what the host reports. Draws are those of the chosen subsets alone: the hub folder does not hold all others.
pub fn host_report(folder: &Path, tasks: &[&str], more: &[&str]) -> Result<Value, String> {
    let mut command = host_command();
    command.args(["run", "--json", "--draws", "selected", "--hub-dir"]).arg(hub(folder)).args(more);
    if !more.contains(&"--output-folder") {
        command.arg("--output-folder").arg(folder.join("results"));
    }
    for registry in ["indonesia-hub", "mteb-eng-v1"] {
        command.args(["--registry", registry]);
    }
    command.arg("--registry").arg(registry(folder));
    for task in tasks {
        command.args(["--task", task]);
    }
    json_of(&mut command)
}

/// The runs that the host reports.
pub fn runs_of(report: &Value) -> Result<Runs, String> {
    let tasks = report["tasks"].as_array().ok_or("the host's report has no list `tasks`")?;
    tasks.iter().map(run_of_host).collect()
}

fn run_of_host(task: &Value) -> Result<(String, Run), String> {
    let name = task["task"].as_str().unwrap_or_default().to_owned();
    let mut scores = BTreeMap::new();
    for unit in task["units"].as_array().into_iter().flatten() {
        let place = |key: &str| unit[key].as_str().unwrap_or_default().to_owned();
        let score = unit["main_score"].as_f64().ok_or_else(|| format!("{name} has no score: {unit}"))?;
        scores.insert(format!("{} {}", place("split"), place("subset")), score);
    }
    // A task that was done before takes no time.
    let seconds = task["seconds"].as_f64().unwrap_or(0.0);
    Ok((name, Run { seconds, scores }))
}

/// Runs the reference on the subsets that the host scored, with its random encoder or with the model of a folder.
pub fn reference(
    python: &Path,
    folder: &Path,
    made: &[MadeTask],
    ours: &Runs,
    model: Option<&Path>,
) -> Result<Runs, String> {
    let mut command = reference_command(python, folder, made);
    if let Some(model) = model {
        command.env("MTEB_MODEL", model);
    }
    command.args(ours.iter().map(|(name, run)| format!("{name}:{}", subsets(run))));
    let report = json_of(&mut command)?;
    let report = report.as_object().ok_or("the reference's report is no object")?;
    let run = |(name, task): (&String, &Value)| {
        let scores = task["scores"].as_object().into_iter().flatten();
        let scores = scores.map(|(place, score)| (place.clone(), score.as_f64().unwrap_or(f64::NAN)));
        let seconds = task["seconds"].as_f64().ok_or_else(|| format!("no time for {name}"))?;
        Ok((name.clone(), Run { seconds, scores: scores.collect() }))
    };
    report.iter().map(run).collect()
}

/// The reference's script on the benchmark's folder; tasks are still to be named.
pub fn reference_command(python: &Path, folder: &Path, made: &[MadeTask]) -> Command {
    let kinds: Vec<String> = made.iter().map(|task| format!("{}={}", task.name, task.class)).collect();
    let mut command = Command::new(python);
    command.env("HF_HUB_OFFLINE", "1").env_remove("MTEB_MODEL").env_remove("MTEB_RESULTS");
    command.arg(root().join("tools/bench/scripts/reference.py")).arg(hub(folder)).arg(kinds.join(","));
    command
}

/// Names of the subsets, none if there is only the default one.
fn subsets(run: &Run) -> String {
    let names = run.scores.keys().filter_map(|place| place.split_once(' ')).map(|(_, subset)| subset);
    let names: BTreeSet<&str> = names.filter(|name| *name != "default").collect();
    names.into_iter().collect::<Vec<_>>().join(",")
}

/// Runs a command and reads the last JSON value of its standard output.
pub fn json_of(command: &mut Command) -> Result<Value, String> {
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let start = text.rfind("\n{").map_or(0, |line| line + 1);
    if !output.status.success() {
        let report = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?} failed: {text}{report}"));
    }
    serde_json::from_str(text[start..].trim()).map_err(|error| format!("{command:?}: no JSON: {error}"))
}

/// The name that its plugin gives it.
pub const LETTERS: &str = "changing";

/// Numbers of a row.
const LETTERS_DIMENSION: &str = "384";

const LETTERS_EXAMPLE: &str = "changing_model";

/// Builds the model, puts its plugin alone into `folder`, which is given back, and trusts it in the benchmarks' own list.
pub fn letters_plugin(folder: &Path) -> Result<PathBuf, String> {
    run_cargo(&["build", "--release", "--package", "mteb-host-tests", "--example", LETTERS_EXAMPLE])?;
    let file = format!("lib{LETTERS_EXAMPLE}.so");
    let built = target_folder().join("release/examples").join(&file);
    fs::create_dir_all(folder)
        .and_then(|()| fs::copy(built, folder.join(file)))
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut lock = letters_host();
    lock.args(["plugins", "lock", "--plugin-dir"]).arg(folder);
    if status(&mut lock)?.success() { Ok(folder.to_owned()) } else { Err(format!("failed: {lock:?}")) }
}

/// The host that trusts it; what the user trusts, and has installed, stays out of the benchmark.
pub fn letters_host() -> Command {
    let mut command = host_command();
    command
        .env("MTEB_HOST_DATA", target_folder().join("bench/data"))
        .env("MTEB_PLUGIN_DIMENSION", LETTERS_DIMENSION);
    command
}

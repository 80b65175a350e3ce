//! Whole runs of the host on a task that is made on the spot.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::clock::Ended;
use super::findings::GpuFault;
use super::ground::{Ground, write};

/// Name of the task.
const TASK: &str = "GpuCheckSTS";

/// What a run of the host is asked for.
#[derive(Clone, Debug)]
pub struct HostRun<'a> {
    /// The model.
    pub model: &'a Path,
    /// `auto`, `cpu`, `cuda` or `cuda:N`.
    pub device: &'a str,
    /// Folder of results.
    pub results: &'a str,
    /// Folder of the cache.
    pub cache: &'a str,
    /// What else stands on the command line.
    pub more: &'a [&'a str],
}

/// Writes the card and its data: pairs of the short texts.
pub fn make_task(ground: &Ground, texts: &Path) -> Result<(), String> {
    let list = std::fs::read_to_string(texts).map_err(|error| format!("{}: {error}", texts.display()))?;
    let texts: Vec<String> = serde_json::from_str(&list).map_err(|error| error.to_string())?;
    let mut rows = "sentence1,sentence2,score\n".to_owned();
    for (number, pair) in texts.chunks_exact(2).take(100).enumerate() {
        // Some agreement of scores and texts is not needed: the same rows give the same score.
        rows += &format!("{},{},{}\n", pair[0], pair[1], number * 7 % 6);
    }
    write(&ground.work.join("pairs.csv"), &rows)?;
    let card = format!(
        "schema = 1\nname = \"{TASK}\"\ntype = \"STS\"\ndescription = \"Pairs of random texts.\"\n\
         languages = [\"eng-Latn\"]\n\n[dataset]\npath = \"pairs.csv\"\n"
    );
    write(&card_of(ground), &card)
}

fn card_of(ground: &Ground) -> PathBuf {
    ground.work.join("gpu-check-sts.toml")
}

/// The command of a run.
pub fn command(ground: &Ground, run: &HostRun<'_>) -> Command {
    let mut command = ground.host();
    with_run(&mut command, ground, run);
    command
}

/// Gives a host the arguments of a run.
pub fn with_run(command: &mut Command, ground: &Ground, run: &HostRun<'_>) {
    command.args(["run", "--json", "--quiet", "--offline", "--registry"]).arg(card_of(ground));
    command.arg("--model").arg(run.model).args(["--device", run.device]).args(run.more);
    command.arg("--output-folder").arg(ground.work.join(run.results));
    command.arg("--cache-dir").arg(ground.work.join(run.cache));
}

/// The report of a run that ended well.
pub fn report(ended: &Ended) -> Result<Value, GpuFault> {
    let report = serde_json::from_str(&ended.output);
    match report {
        Ok(report) if ended.status.success() => Ok(report),
        _ => Err(GpuFault::Failed(format!("a run of the host failed: {}", ended.last_words()))),
    }
}

/// The score of the task.
pub fn score(report: &Value) -> Option<f64> {
    report["tasks"][0]["main_score"].as_f64()
}

/// The device that the result file names.
pub fn device_of(report: &Value) -> Option<String> {
    let folder = Path::new(report["results_folder"].as_str()?);
    let path = folder.join(format!("{TASK}.json"));
    let result: Value = serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()?;
    result["mteb_host"]["model"]["device"].as_str().map(str::to_owned)
}

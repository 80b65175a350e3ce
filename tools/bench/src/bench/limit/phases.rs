//! How long each phase of a whole run takes, as its result files say.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use mteb_json::read_past_tokens;
use serde_json::Value;
use xtask_start::command::{status, target_folder};

use crate::bench::sides::host_command;

/// The tasks of the run, one a kind of work.
const TASKS: [&str; 4] =
    ["IndonesianGeneralSTS", "IndonesianLawRetrieval", "IndonesianNewsTopic", "IndonesianNewsClustering"];

/// The keys of result files, in the order of the work.
const PHASES: [&str; 4] = ["reading", "encoding", "searching", "scoring"];

/// Seconds of a run.
pub struct Phases {
    /// The model.
    model: &'static str,
    /// From its start to its end.
    whole: f64,
    /// By the clock and of the processors, in the order of [`PHASES`].
    seconds: [[f64; 2]; PHASES.len()],
}

/// The phases of a run of several tasks with nothing in the caches, with `model` on libtorch, or with the hashing encoder without one. A trial
/// takes one task.
///
/// # Errors
/// If the run fails, or its files do not say what they took.
pub fn phases(folder: &Path, model: Option<&Path>, is_trial: bool) -> Result<Phases, String> {
    let results = folder.join("results");
    if results.exists() {
        fs::remove_dir_all(&results).map_err(|error| format!("{}: {error}", results.display()))?;
    }
    let mut command = host_command();
    command
        .args(["run", "--registry", "indonesia", "--quiet", "--no-cache", "--output-folder"])
        .arg(&results);
    let tasks = if is_trial { &TASKS[..1] } else { &TASKS[..] };
    command.args(tasks.iter().flat_map(|task| ["--task", task]));
    trust(&mut command, folder, model)?;
    let begin = Instant::now();
    if !status(&mut command)?.success() {
        return Err(format!("failed: {command:?}"));
    }
    let whole = begin.elapsed().as_secs_f64();
    let mut seconds = [[0.0; 2]; PHASES.len()];
    let files = result_files(&results)?;
    if files.is_empty() {
        return Err(format!("{}: expected result files, found none", results.display()));
    }
    for file in &files {
        add(file, &mut seconds)?;
    }
    Ok(Phases { model: model.map_or("hashing", |_| "all-MiniLM-L6-v2"), whole, seconds })
}

/// Names the model; libtorch's plugin is trusted in the benchmarks' own list.
fn trust(command: &mut Command, folder: &Path, model: Option<&Path>) -> Result<(), String> {
    let Some(model) = model else {
        command.args(["--model", "hashing"]);
        return Ok(());
    };
    let data = target_folder().join("bench/data");
    let plugins = folder.join("plugins");
    let library = "libmteb_plugin_torch.so";
    fs::create_dir_all(&plugins)
        .and_then(|()| fs::copy(target_folder().join("release").join(library), plugins.join(library)))
        .map_err(|error| format!("{}: {error}", plugins.display()))?;
    let mut lock = host_command();
    lock.args(["plugins", "lock", "--plugin-dir"]).arg(&plugins).env("MTEB_HOST_DATA", &data);
    if !status(&mut lock)?.success() {
        return Err(format!("failed: {lock:?}"));
    }
    command.arg("--plugin-dir").arg(&plugins).arg("--model").arg(model).env("MTEB_HOST_DATA", data);
    Ok(())
}

/// The result files below `folder`.
fn result_files(folder: &Path) -> Result<Vec<Value>, String> {
    let fault = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(fault)? {
        let path = entry.map_err(fault)?.path();
        if path.is_dir() {
            found.extend(result_files(&path)?);
        } else if path.extension().is_some_and(|ending| ending == "json") {
            let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            // Scores that are no number stand there as Python writes them.
            let file: Value = read_past_tokens(&text, |text| serde_json::from_str(text))
                .map_err(|error| format!("{}: {error}", path.display()))?;
            found.extend(file.get("scores").is_some().then_some(file));
        }
    }
    Ok(found)
}

fn add(file: &Value, seconds: &mut [[f64; 2]; PHASES.len()]) -> Result<(), String> {
    for (phase, seconds) in PHASES.iter().zip(seconds) {
        let found = &file["mteb_host"]["footprint"]["seconds"][phase];
        let wall = found["wall"].as_f64();
        seconds[0] +=
            wall.ok_or_else(|| format!("expected seconds of {phase} in a result file, found: {found}"))?;
        // A system that does not count them says nothing.
        seconds[1] += found["processor"].as_f64().unwrap_or(0.0);
    }
    Ok(())
}

/// The table of phases.
pub fn markdown(phases: &Phases) -> String {
    let Phases { model, whole, seconds } = phases;
    let mut text = format!(
        "A run with {model} and empty caches took {whole:.2} s from its start to its end. Phases stand beside each other, so their sum may be \
         more.\n\n| phase | by the clock, s | processors, s | share of the run, % |\n|---|---:|---:|---:|\n"
    );
    for (phase, [clock, processor]) in PHASES.iter().zip(seconds) {
        text += &format!("| {phase} | {clock:.3} | {processor:.3} | {:.0} |\n", 100.0 * clock / whole);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn phases_are_the_sums_over_the_tasks() {
        let took = |wall| json!({"wall": wall, "processor": 2.0 * wall});
        let file = json!({"mteb_host": {"footprint": {"seconds": {
            "reading": took(0.5), "encoding": took(1.0), "searching": took(0.0), "scoring": took(0.25),
        }}}});
        let mut seconds = [[0.0; 2]; PHASES.len()];
        add(&file, &mut seconds).unwrap();
        add(&file, &mut seconds).unwrap();
        let text = markdown(&Phases { model: "hashing", whole: 4.0, seconds });
        assert!(text.contains("| encoding | 2.000 | 4.000 | 50 |\n"), "{text}");
        let fault = add(&json!({}), &mut seconds).unwrap_err();
        assert!(fault.starts_with("expected seconds of reading"), "{fault}");
    }
}

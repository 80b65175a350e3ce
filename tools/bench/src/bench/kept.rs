//! What outcomes and rankings cost: the same run with a real model, with and without them, in turns.

use std::path::Path;
use std::process::{Command, ExitCode};

use crate::bench::environment::{largest, variable};
use crate::bench::sides::host_command as host;
use crate::measure::{Cost, measure};
use xtask::document::{machine, put_table};
use xtask_start::build::release;
use xtask_start::command::{root, target_folder};

/// Runs of each side, in turns; one of all tasks takes minutes.
const RUNS: usize = 3;

/// What the second side keeps beside its scores.
const KEPT: [&str; 3] = ["--outcomes", "--rankings", "--predictions"];

/// The model, unless `MTEB_MODEL` names another.
const MODEL: &str = "st:sentence-transformers/all-MiniLM-L6-v2";

/// Tasks of a trial.
const TRIAL: [&str; 2] = ["IndonesianGeneralSTS", "IndonesianLawRetrieval"];

/// Runs the benchmark and writes its table; a trial (`MTEB_LARGEST`, the number of runs) takes two tasks and prints it alone.
pub fn measure_kept() -> Result<ExitCode, String> {
    release()?;
    let folder = target_folder().join("bench/kept");
    let trial = largest()?;
    let tasks = trial.map_or(&[][..], |_| &TRIAL[..]);
    let (mut plain, mut kept) = (Vec::new(), Vec::new());
    for _ in 0..trial.unwrap_or(RUNS).clamp(1, RUNS) {
        for (costs, more) in [(&mut plain, &[][..]), (&mut kept, &KEPT[..])] {
            let cost = measure(&mut run(&folder, tasks, more))?;
            eprintln!("{:.1} s of the processors {}", cost.processor, more.join(" "));
            costs.push(cost);
        }
    }
    let text = markdown(&plain, &kept);
    println!("{text}");
    if trial.is_none() {
        put_table(&root().join("docs/benchmarks.md"), "kept", &text)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// All bundled tasks or these, every text encoded, the result files written anew.
fn run(folder: &Path, tasks: &[&str], more: &[&str]) -> Command {
    let mut command = host();
    command.args(["run", "--registry", "indonesia", "--quiet", "--overwrite", "always", "--no-cache"]);
    command.args(tasks.iter().flat_map(|task| ["--task", task]));
    command.arg("--model").arg(variable("MTEB_MODEL").unwrap_or_else(|| MODEL.into()));
    command.arg("--output-folder").arg(folder.join("results")).args(more);
    command
}

fn markdown(plain: &[Cost], kept: &[Cost]) -> String {
    let mut text = format!(
        "Machine: {}. {} runs a side, in turns.\n\n| run | processor, s: the middle one (lowest – highest) | by the clock, s |\n|---|---:|---:|\n",
        machine(),
        plain.len()
    );
    for (name, costs) in [("scores alone", plain), ("with outcomes, rankings and predictions", kept)] {
        let middle = Cost::middle(costs);
        let (low, high) = costs.iter().fold((f64::INFINITY, 0.0f64), |(low, high), cost| {
            (low.min(cost.processor), high.max(cost.processor))
        });
        text +=
            &format!("| {name} | {:.1} ({low:.1} – {high:.1}) | {:.1} |\n", middle.processor, middle.seconds);
    }
    let share = Cost::middle(kept).processor / Cost::middle(plain).processor - 1.0;
    text + &format!("\nThe files cost {:+.1} % of the processor time.\n", 100.0 * share)
}

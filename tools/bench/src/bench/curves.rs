//! Curves of a whole study, and of one of its datasets beside numpy.

use std::fs;
use std::process::{Command, ExitCode};

use serde_json::Value;

use super::environment::variable;
use super::sides::json_of;
use xtask::document::{machine, put_table};
use xtask_start::command::{root, run_cargo, target_folder};

/// Threads of each side.
const THREADS: &str = "2";

/// Systems, judges, queries of a dataset, depth; then the judges' thresholds: as the example `curves` has them.
const SIZE: [&str; 7] = ["128", "3", "1000", "100", "6.0", "7.0", "6.5"];

/// Largest difference of a score of both sides.
const TOLERANCE: f64 = 1e-9;

/// Runs the benchmark and writes its table.
pub fn curves() -> Result<ExitCode, String> {
    run_cargo(&["build", "--release", "--package", "mteb-graded", "--example", "curves"])?;
    let folder = target_folder().join("bench/curves");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut ours = Command::new(target_folder().join("release/examples/curves"));
    let ours = json_of(ours.env("RAYON_NUM_THREADS", THREADS).arg(&folder))?;
    let mut numpy = Command::new(variable("MTEB_PYTHON").unwrap_or_else(|| "python3".into()));
    numpy
        .env("OMP_NUM_THREADS", THREADS)
        .arg(root().join("tools/bench/scripts/curves.py"))
        .arg(&folder)
        .args(SIZE);
    let numpy = json_of(&mut numpy)?;
    let difference = difference(&ours, &numpy)?;
    let text = markdown(&ours, &numpy, difference)?;
    println!("{text}");
    put_table(&root().join("docs/benchmarks.md"), "curves", &text)?;
    Ok(if difference <= TOLERANCE { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Largest difference of a checked score.
fn difference(ours: &Value, numpy: &Value) -> Result<f64, String> {
    let checks = |side: &Value| -> Vec<f64> {
        side["checks"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
    };
    let (ours, numpy) = (checks(ours), checks(numpy));
    if ours.is_empty() || ours.len() != numpy.len() {
        return Err(format!("expected as many checked scores of both sides, found {ours:?} and {numpy:?}"));
    }
    Ok(ours.iter().zip(&numpy).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max))
}

fn markdown(ours: &Value, numpy: &Value, difference: f64) -> Result<String, String> {
    let figure = |side: &Value, name: &str| side[name].as_f64().ok_or_else(|| format!("expected `{name}`"));
    let (reading, measuring) = (figure(ours, "reading")?, figure(ours, "measuring")?);
    let (one, other) = (figure(ours, "last")?, figure(numpy, "seconds")?);
    Ok(format!(
        "Machine: {}, {THREADS} threads a side. 128 systems × 3 judges × 1,000 queries a dataset, nDCG, recall and judged share at 1 to 100 \
         (numpy: the first two). Largest difference of the scores that both sides tell: {difference:.1e}.\n\n\
         | what | seconds | peak memory |\n|---|---:|---:|\n\
         | 24 datasets: reading the ranks | {reading:.2} | |\n\
         | 24 datasets: all curves, with reading | {:.2} | {:.0} MB |\n\
         | one dataset: curves | {one:.2} | |\n| one dataset: numpy ({:.1} times ours) | {other:.2} | |\n",
        machine(),
        reading + measuring,
        figure(ours, "peak_kb")? / 1024.0,
        other / one
    ))
}

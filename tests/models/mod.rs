//! Models that compute elsewhere. Behind HTTP endpoints: the real binary asks a server on this machine that embeds as the model
//! `hashing` does, and misbehaves on purpose; the scores are those of `hashing`, or the unit fails with a reason. In Python: the
//! same of interpreters.

mod consent;
mod endpoints;
mod gpu_check;
mod live_library;
pub mod live_models;
mod model_options;
mod mteb_interface;
mod named;
mod notebook;
mod odd_models;
mod odd_results;
mod own_code;
mod processes;
mod python;
mod python_habits;
mod python_library;
mod python_models;
mod python_package;
mod real_server;
mod row_forms;
mod row_models;
mod searching_models;
mod texts;
mod tiny;
mod wheel;

use std::path::Path;

use mteb_host_tests::{Endpoint, Misdeed, Run, host, host_binary};
use mteb_plugin_api::v1::{Model, Role};
use mteb_plugin_hashing::{DIMENSION, HashingEncoder};
use serde_json::Value;

/// An endpoint that does `misdeed` to every `every`-th request.
fn endpoint(misdeed: Misdeed, every: usize) -> Endpoint {
    host_binary();
    Endpoint::start(hashing_rows, misdeed, every).unwrap()
}

/// Runs `task` of the Indonesian pack with `arguments` in `folder`.
fn run(folder: &Path, task: &str, arguments: &[&str]) -> Run {
    let mut command = host(folder);
    command.args(["run", "--registry", "indonesia", "--json", "--task", task]).args(arguments);
    Run::of(command.env_remove("OPENAI_API_KEY")).unwrap()
}

/// The main scores of a run.
fn scores(run: &Run) -> Vec<f64> {
    assert_eq!(run.code, Some(0), "{}\n{}", run.stdout, run.stderr);
    let report = run.json().unwrap();
    let tasks = report["tasks"].as_array().unwrap();
    let units = tasks.iter().flat_map(|task| task["units"].as_array().unwrap());
    units.map(|unit| unit["main_score"].as_f64().unwrap()).collect()
}

/// The main scores of `hashing`.
fn expected_scores(task: &str) -> Vec<f64> {
    let folder = tempfile::tempdir().unwrap();
    scores(&run(folder.path(), task, &["--model", "hashing"]))
}

/// The result file of `task` below `folder`.
fn result_file(folder: &Path, task: &str) -> Value {
    let mut folders = vec![folder.join("results")];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().unwrap().to_str() == Some(&format!("{task}.json")) {
                return serde_json::from_str(&std::fs::read_to_string(path).unwrap().replace("NaN", "null"))
                    .unwrap();
            }
        }
    }
    panic!("no result file of {task}")
}

/// The rows of the model `hashing`, without a worker: one a text.
pub fn hashing_rows(texts: &[&str]) -> Vec<Vec<f32>> {
    let dimension = DIMENSION;
    let mut rows = vec![0.0; texts.len() * dimension];
    HashingEncoder.encode(texts, Role::None, "", &mut rows).unwrap();
    rows.chunks_exact(dimension).map(<[f32]>::to_vec).collect()
}

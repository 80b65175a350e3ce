//! Encoding through an endpoint beside a plain load generator that saturates it: one text a question, so that every answer is the same.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use serde_json::json;

use super::sides::{host_command, json_of};
use super::slow_endpoint::{SlowEndpoint, wide};
use crate::measure::middle;
use xtask::document::{machine, put_table};
use xtask_start::build::release;
use xtask_start::command::{root, target_folder};

/// Documents, calls at once, milliseconds of an answer.
const SIZE: [usize; 3] = [50_000, 32, 20];

/// Queries.
const QUERIES: usize = 100;

/// Documents and queries of the task that tells what starting and ending take.
const SMALL: [usize; 2] = [1, 1];

/// Numbers an embedding.
const DIMENSION: usize = 384;

/// Times each side runs, in turns.
const ROUNDS: usize = 3;

/// Part of the generator's answers a second that the host is to reach.
const AIM: f64 = 0.9;

/// Runs the benchmark and writes its table.
pub fn endpoint() -> Result<ExitCode, String> {
    release()?;
    let [documents, at_once, pause] = SIZE;
    let folder = target_folder().join("bench/endpoint");
    let _ = fs::remove_dir_all(&folder);
    write(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let endpoint = SlowEndpoint::start(&folder.join("reply.json"), pause)?;
    let card = format!(
        "schema = 1\nname = \"made/endpoint\"\ndimension = {DIMENSION}\n[api]\nstyle = \"tei\"\nmodel = \"m\"\nurl = \"{}\"\n\
         texts_per_request = 1\nconcurrency = {at_once}\n",
        endpoint.address
    );
    fs::write(folder.join("models/made__endpoint.toml"), card).map_err(|error| error.to_string())?;
    let texts = documents + QUERIES;
    let (mut ours, mut start, mut plain) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        plain.push(endpoint.load(texts, at_once, &folder.join("body.json"))?);
        ours.push(host(&folder, "made")?);
        start.push(host(&folder, "small")?);
    }
    let [ours, start, plain] = [ours, start, plain].map(|times| middle(times.into_iter()));
    let row = |side: &str, seconds: f64| {
        let (speed, share) = (texts as f64 / seconds, 100.0 * plain / seconds);
        format!("| {side} | {seconds:.2} | {speed:.0} | {share:.1} % |\n")
    };
    let is_met = plain / ours >= AIM;
    let text = format!(
        "Machine: {}, which the endpoint shares. {texts} texts, one a question, {at_once} questions at once, {pause} ms an answer; the middle one of \
         {ROUNDS} runs in turns. The host's seconds are those of the whole command, from the files to the scores; starting and ending are those of \
         the same command on {} texts. The aim is {}.\n\n\
         | side | seconds | texts a second | of the plain generator |\n|---|---:|---:|---:|\n{}{}| of it starting and ending | {start:.2} | | |\n{}",
        machine(),
        SMALL.iter().sum::<usize>(),
        if is_met { "reached" } else { "missed" },
        row("plain load generator", plain),
        row("mteb-host run", ours),
        row("mteb-host run without starting and ending", ours - start)
    );
    println!("{text}");
    put_table(&root().join("docs/benchmarks.md"), "endpoint", &text)?;
    Ok(if is_met { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The tasks, what the endpoint answers and what the generator asks.
fn write(folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder.join("models"))?;
    write_task(folder, "made", [SIZE[0], QUERIES])?;
    write_task(folder, "small", SMALL)?;
    let row: Vec<f32> = (0..DIMENSION).map(|place| (place as f32 * 0.37).sin()).collect();
    fs::write(folder.join("reply.json"), json!([row]).to_string())?;
    fs::write(folder.join("body.json"), json!({"inputs": [text(0)], "truncate": true}).to_string())
}

fn text(number: usize) -> String {
    format!("the text with the number {number}, as long as a sentence is in many of the tasks")
}

/// The task `name` with so many documents and queries.
fn write_task(folder: &Path, name: &str, [documents, queries]: [usize; 2]) -> std::io::Result<()> {
    let place = folder.join(name);
    fs::create_dir_all(&place)?;
    let write = |part: &str, rows: Vec<serde_json::Value>| {
        let lines = rows.iter().map(|row| format!("{row}\n")).collect::<String>();
        fs::write(place.join(format!("{part}.jsonl")), lines)
    };
    let document = |number: usize| json!({"_id": format!("d{number}"), "text": text(number)});
    let query =
        |number: usize| json!({"_id": format!("q{number}"), "text": format!("query {}", text(number))});
    let relevant = |number: usize| json!({"query-id": format!("q{number}"), "corpus-id": format!("d{number}"), "score": 1});
    write("corpus", (0..documents).map(document).collect())?;
    write("queries", (0..queries).map(query).collect())?;
    write("qrels", (0..queries).map(relevant).collect())?;
    let card = format!(
        "schema = 1\nname = \"Bench-{name}\"\ntype = \"Retrieval\"\ndescription = \"Made.\"\nlanguages = [\"eng-Latn\"]\n\
         [dataset]\npath = \"{name}\"\n"
    );
    fs::write(folder.join(format!("{name}.toml")), card)
}

/// Seconds of a whole run of the task `name` without a cache.
fn host(folder: &Path, name: &str) -> Result<f64, String> {
    let mut command = wide(&host_command());
    let registry = format!("{name}.toml");
    command.args(["run", "--json", "--no-cache", "--overwrite", "always", "--registry", &registry]);
    command.args(["--model", "made/endpoint"]).current_dir(folder);
    let begin = Instant::now();
    let report = json_of(&mut command)?;
    let seconds = begin.elapsed().as_secs_f64();
    match report["tasks"][0]["units"][0]["main_score"].as_f64() {
        Some(_) => Ok(seconds),
        None => Err(format!("expected a score, found: {report}")),
    }
}

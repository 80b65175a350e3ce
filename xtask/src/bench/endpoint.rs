//! Encoding through an endpoint beside a plain load generator that saturates it: one text a question, so that every answer is the same.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use serde_json::json;

use super::machine::machine;
use super::sides::{host_command, json_of};
use super::slow_endpoint::{SlowEndpoint, wide};
use crate::build::release;
use crate::command::{root, target_folder};
use crate::document::put_table;
use crate::measure::middle;

/// Documents, calls at once, milliseconds of an answer.
const SIZE: [usize; 3] = [10_000, 32, 20];

/// Queries.
const QUERIES: usize = 100;

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
    let (mut ours, mut plain) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        plain.push(endpoint.load(texts, at_once, &folder.join("body.json"))?);
        ours.push(host(&folder)?);
    }
    let (ours, plain) = (middle(ours.into_iter()), middle(plain.into_iter()));
    let row = |side: &str, seconds: f64| {
        let (speed, share) = (texts as f64 / seconds, 100.0 * plain / seconds);
        format!("| {side} | {seconds:.2} | {speed:.0} | {share:.0} % |\n")
    };
    let text = format!(
        "Machine: {}, which the endpoint shares. {texts} texts, one a question, {at_once} questions at once, {pause} ms an answer; the middle one of \
         {ROUNDS} runs in turns. The host's seconds are those of the whole command, from the files to the scores.\n\n\
         | side | seconds | texts a second | of the plain generator |\n|---|---:|---:|---:|\n{}{}",
        machine(),
        row("plain load generator", plain),
        row("mteb-host run", ours)
    );
    println!("{text}");
    put_table(&root().join("docs/benchmarks.md"), "endpoint", &text)?;
    Ok(if plain / ours >= AIM { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The task, what the endpoint answers and what the generator asks.
fn write(folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder.join("models"))?;
    fs::create_dir_all(folder.join("made"))?;
    let text = |number: usize| {
        format!("the text with the number {number}, as long as a sentence is in many of the tasks")
    };
    let lines = |rows: Vec<serde_json::Value>| rows.iter().map(|row| format!("{row}\n")).collect::<String>();
    let corpus =
        (0..SIZE[0]).map(|number| json!({"_id": format!("d{number}"), "text": text(number)})).collect();
    let queries = (0..QUERIES)
        .map(|number| json!({"_id": format!("q{number}"), "text": format!("query {}", text(number))}));
    let qrels = (0..QUERIES).map(
        |number| json!({"query-id": format!("q{number}"), "corpus-id": format!("d{number}"), "score": 1}),
    );
    fs::write(folder.join("made/corpus.jsonl"), lines(corpus))?;
    fs::write(folder.join("made/queries.jsonl"), lines(queries.collect()))?;
    fs::write(folder.join("made/qrels.jsonl"), lines(qrels.collect()))?;
    let row: Vec<f32> = (0..DIMENSION).map(|place| (place as f32 * 0.37).sin()).collect();
    fs::write(folder.join("reply.json"), json!([row]).to_string())?;
    fs::write(folder.join("body.json"), json!({"inputs": [text(0)], "truncate": true}).to_string())?;
    let card = "schema = 1\nname = \"Made\"\ntype = \"Retrieval\"\ndescription = \"Made.\"\nlanguages = [\"eng-Latn\"]\n[dataset]\npath = \"made\"\n";
    fs::write(folder.join("made.toml"), card)
}

/// Seconds of a whole run without a cache.
fn host(folder: &Path) -> Result<f64, String> {
    let mut command = wide(&host_command());
    command.args(["run", "--json", "--no-cache", "--overwrite", "always", "--registry", "made.toml"]);
    command.args(["--model", "made/endpoint"]).current_dir(folder);
    let begin = Instant::now();
    let report = json_of(&mut command)?;
    let seconds = begin.elapsed().as_secs_f64();
    match report["tasks"][0]["units"][0]["main_score"].as_f64() {
        Some(_) => Ok(seconds),
        None => Err(format!("expected a score, found: {report}")),
    }
}

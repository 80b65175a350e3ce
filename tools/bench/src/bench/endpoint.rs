//! Encoding through an endpoint that answers after a fixed time, beside a plain load generator that
//! saturates it: one text a question, so that every answer is the same.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Instant;

use serde_json::json;
use xtask::document::{machine, put_table};
use xtask_start::build::release;
use xtask_start::command::{root, run_cargo, target_folder};

use super::sides::{host_command, json_of};
use crate::measure::middle;

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

/// The endpoint; it ends with the benchmark.
pub struct SlowEndpoint {
    child: Child,
    /// Where it listens.
    pub address: String,
}

impl SlowEndpoint {
    /// Builds and starts it: every answer is what the file `reply` holds, `pause` milliseconds after the question.
    pub fn start(reply: &Path, pause: usize) -> Result<Self, String> {
        run_cargo(&["build", "--release", "--package", "mteb-remote", "--examples"])?;
        let mut command = wide(&Command::new(target_folder().join("release/examples/slow_endpoint")));
        command.arg(pause.to_string()).arg(reply).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("cannot run {command:?}: {error}"))?;
        let mut address = String::new();
        let said = child.stdout.take().map(|stdout| BufReader::new(stdout).read_line(&mut address));
        match said {
            Some(Ok(length)) if length > 0 => Ok(Self { child, address: address.trim().to_owned() }),
            _ => Err(format!("expected an address from {command:?}, found none")),
        }
    }

    /// Seconds in which `count` questions with the text in `body` are answered, `at_once` of them at a time.
    pub fn load(&self, count: usize, at_once: usize, body: &Path) -> Result<f64, String> {
        let mut command = wide(&Command::new(target_folder().join("release/examples/load")));
        command.arg(&self.address).args([count, at_once].map(|number| number.to_string())).arg(body);
        let found = json_of(&mut command)?;
        match (found["seconds"].as_f64(), found["answers"].as_u64()) {
            (Some(seconds), Some(answers)) if answers == count as u64 => Ok(seconds),
            _ => Err(format!("expected {count} answers, found: {found}")),
        }
    }
}

impl Drop for SlowEndpoint {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        // It may have ended already.
        let _ = self.child.wait();
    }
}

/// The same command with leave to hold as many connections open as are asked for.
pub fn wide(command: &Command) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -n 8192; exec \"$0\" \"$@\""]).arg(command.get_program());
    shell
}

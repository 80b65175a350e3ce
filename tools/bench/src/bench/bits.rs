//! Search over bits beside faiss, on the same rows as floats and as bits, with the same distances found.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use serde_json::Value;

use crate::bench::environment::{largest, variable};
use crate::bench::sides::json_of;
use crate::measure::middle;
use xtask::document::{machine, put_table};
use xtask_start::command::{root, run_cargo, target_folder};

/// Documents, numbers of a row, queries, documents wanted for a query.
const SIZE: [usize; 4] = [1_000_000, 1024, 1000, 100];

/// Threads of each side.
const THREADS: &str = "2";

/// Times each side measures; the floats, which take minutes, once.
const ROUNDS: [usize; 3] = [5, 5, 1];

/// The sides in the order of the table.
const SIDES: [&str; 3] = ["mteb-host, bits", "faiss IndexBinaryFlat", "faiss IndexFlatIP, floats"];

/// Runs the benchmark and writes its table; a trial with fewer documents (`MTEB_LARGEST`) prints it alone.
pub fn bits() -> Result<ExitCode, String> {
    run_cargo(&["build", "--release", "--package", "mteb-search", "--example", "bits_speed"])?;
    let [most, dimension, queries, depth] = SIZE;
    let documents = largest()?.map_or(most, |largest| largest.min(most));
    let folder = target_folder().join(format!("bench/search/{documents}x{dimension}"));
    if !folder.join("queries.f32").exists() {
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut make = python("search.py");
        make.arg("make").arg(&folder).args([documents, dimension, queries].map(|number| number.to_string()));
        if !xtask_start::command::status(&mut make)?.success() {
            return Err("the rows could not be made".to_owned());
        }
    }
    let mut ours = Command::new(target_folder().join("release/examples/bits_speed"));
    ours.env("RAYON_NUM_THREADS", THREADS);
    let side = |kind: &str| {
        let mut command = python("bits.py");
        command.arg(kind);
        command
    };
    let mut sides = [ours, side("bits"), side("floats")];
    let mut seconds = Vec::new();
    for (command, rounds) in sides.iter_mut().zip(ROUNDS) {
        command.arg(&folder).args([dimension, depth, rounds].map(|number| number.to_string()));
        seconds.push(rounds_of(&json_of(command)?)?);
    }
    let same = same_distances(&folder)?;
    let text = markdown(documents, &seconds, same);
    println!("{text}");
    if documents == most {
        put_table(&root().join("docs/benchmarks.md"), "bits", &text)?;
    }
    Ok(if same { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn python(script: &str) -> Command {
    let any = || variable("MTEB_PYTHON").unwrap_or_else(|| "python3".into());
    let mut command = Command::new(variable("MTEB_FAISS_PYTHON").unwrap_or_else(any));
    command.arg(root().join("tools/bench/scripts").join(script)).env("OMP_NUM_THREADS", THREADS);
    command
}

fn rounds_of(found: &Value) -> Result<Vec<f64>, String> {
    let rounds = found["seconds"].as_array().ok_or("expected the seconds of the rounds")?;
    Ok(rounds.iter().filter_map(Value::as_f64).collect())
}

/// True if both searches over bits found documents of the same distances; which of equal ones is theirs to choose.
fn same_distances(folder: &Path) -> Result<bool, String> {
    let read = |side: &str| {
        let path = folder.join(format!("{side}.distances"));
        fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    Ok(read("mteb-host")? == read("faiss")?)
}

fn markdown(documents: usize, seconds: &[Vec<f64>], same: bool) -> String {
    let [_, dimension, queries, depth] = SIZE;
    let ours = middle(seconds[0].iter().copied());
    let same = if same { "the same" } else { "NOT the same" };
    let mut text = format!(
        "Machine: {}, {THREADS} threads a side. {documents} × {dimension}, {queries} queries, k = {depth}; distances of both searches over \
         bits: {same}.\n\n| side | seconds, the middle one (lowest – highest) | times ours |\n|---|---:|---:|\n",
        machine()
    );
    for (side, rounds) in SIDES.iter().zip(seconds) {
        let middle = middle(rounds.iter().copied());
        let (low, high) = rounds
            .iter()
            .fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), &one| (low.min(one), high.max(one)));
        text += &format!("| {side} | {middle:.2} ({low:.2} – {high:.2}) | {:.1} |\n", middle / ours);
    }
    text
}

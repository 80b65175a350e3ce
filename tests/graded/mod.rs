//! Graded relevance from the command line: the real binary ranks, pools, asks a judge that misbehaves on purpose, and makes tables.

mod batches;
mod bundle;
mod hostile;
mod judging;
mod odd_replies;
mod pools;
mod provider;
mod scores;
mod stores;

use std::path::Path;

use mteb_host_tests::{Run, host};
use serde_json::Value;

/// A task of the bundled pack: 40 queries or more, a corpus, judgements.
const LAW: &str = "IndonesianLawRetrieval";

/// Runs `graded` with `arguments` in `folder`.
fn run_graded(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(host(folder).arg("graded").args(arguments).env_remove("OPENAI_API_KEY")).unwrap()
}

/// As [`run_graded`], and it succeeds.
fn succeed(folder: &Path, arguments: &[&str]) -> Run {
    let run = run_graded(folder, arguments);
    assert_eq!(run.code, Some(0), "{arguments:?}\n{}\n{}", run.stdout, run.stderr);
    run
}

/// The lines of a file of JSON lines.
fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

//! Runs the host with a limit of memory and of time, so that a failure takes neither the machine nor the test run along;
//! and the task that is run.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use mteb_host_tests::{Run, host, host_binary, write_pair_card, write_pairs};
use tempfile::TempDir;

/// Seconds after which the host counts as one that never ends.
const SECONDS: &str = "60";

/// A command of the host in `folder` that may reserve `megabytes` of memory, workers likewise, and is killed after a minute.
pub fn limited(folder: &Path, megabytes: u64) -> Command {
    let usual = host(folder);
    let mut command = Command::new("sh");
    let script = format!("ulimit -v {}; exec timeout -k 1 {SECONDS} \"$@\"", megabytes << 10);
    command.current_dir(folder).args(["-c", &script, "sh"]).arg(host_binary());
    for (name, value) in usual.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
}

/// Runs the host in `folder` to its end, with less than two GB.
pub fn run<A: AsRef<OsStr>>(folder: &Path, args: impl IntoIterator<Item = A>) -> Run {
    Run::of(limited(folder, 1900).args(args)).unwrap()
}

/// A folder with a task of three subsets, in `data/<subset>/test.jsonl`.
pub fn task() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let subsets = ["ind", "jav", "sun"];
    write_pair_card(folder.path(), "Pairs", &subsets).unwrap();
    for subset in subsets {
        let pairs = [("a", "b c", 1.0), ("d", "b c", 2.0), ("d e f", "b c", 4.0)];
        write_pairs(folder.path(), subset, pairs).unwrap();
    }
    folder
}

/// What became of the units of the task in a report as JSON.
pub fn states(run: &Run) -> Vec<String> {
    let report = run.json().unwrap_or_else(|_| panic!("{:?} {}", run.code, run.stderr));
    let units = report["tasks"][0]["units"].as_array().unwrap();
    units.iter().map(|unit| unit["state"].as_str().unwrap().to_owned()).collect()
}

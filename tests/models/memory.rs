//! Models in Python that run out of memory: smaller batches first, then a new interpreter, then the unit fails and the next ones are scored.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host, host_binary, write_pair_card, write_pairs};
use serde_json::Value;

use super::scores;

const SUBSETS: [&str; 3] = ["ind", "jav", "sun"];

/// Runs the model `M` of `code` on three subsets, of which the second has the text `DEVOUR`.
fn run(folder: &Path, code: &str, arguments: &[&str]) -> Run {
    host_binary();
    fs::write(folder.join("mine.py"), code).unwrap();
    write_pair_card(folder, "Pairs", &SUBSETS).unwrap();
    for subset in SUBSETS {
        let word = if subset == "jav" { "DEVOUR" } else { "fine" };
        let pairs = [("a", subset, 1.0), (word, "b c", 2.0), ("d e f", "b c", 4.0)];
        write_pairs(folder, subset, pairs).unwrap();
    }
    let mut command = host(folder);
    command.args(["run", "--registry", "task.toml", "--json", "--model", "python:mine.py:M"]).args(arguments);
    Run::of(command.env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX")).unwrap()
}

#[test]
fn memory_that_is_taken_without_end_costs_its_unit_and_none_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let code = "KEPT = []\nclass M:\n    def encode(self, texts):\n        KEPT.append(bytearray(4 << 20))\n        \
                while 'DEVOUR' in texts:\n            KEPT.append(bytearray(1 << 20))\n        \
                return [[1.0, float(len(text))] for text in texts]\n";
    let run = run(folder.path(), code, &["--worker-memory", "256M", "--no-cache"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let report = run.json().unwrap();
    let units = report["tasks"][0]["units"].as_array().unwrap();
    let states: Vec<&Value> = units.iter().map(|unit| &unit["state"]).collect();
    assert_eq!(states, ["scored", "failed", "scored"], "{}", run.stderr);
    let reason = units[1]["reason"].as_str().unwrap();
    let expected = "ran out of memory: MemoryError (mine.py, line 6); `--worker-memory` leaves it 256.0 MB";
    assert!(reason.contains(expected), "{reason}");
}

#[test]
fn a_batch_for_which_torch_finds_no_memory_is_halved() {
    let folder = tempfile::tempdir().unwrap();
    let code = "class M:\n    def encode(self, texts):\n        if len(texts) > 1:\n            \
                raise RuntimeError(\"[enforce fail at alloc_cpu.cpp:121] data. DefaultCPUAllocator: can't allocate memory: you \
                tried to allocate 274877906944 bytes. Error code 12 (Cannot allocate memory)\")\n        \
                return [[1.0, float(len(text))] for text in texts]\n";
    assert_eq!(scores(&run(folder.path(), code, &[])).len(), SUBSETS.len());
}

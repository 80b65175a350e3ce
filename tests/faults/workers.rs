//! Several workers share one run: the bytes are those of one, whoever computes what and whoever dies of it.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};

use mteb_host_tests::{
    Run, compose_letters_model, faulty_plugin, host, prepare_python_run, trust, without_times,
};
use serde_json::Value;

use super::machine::{plugin_workers, run_with, signal, states, units, write_task};

const STS: &str = "IndonesianGeneralSTS";
const LAW: &str = "IndonesianLawRetrieval";

/// A model whose embeddings are kept on the disk.
const KEPT: &str = "changing";

/// A run of two tasks in `folder`, in many batches; the letters model takes its time.
fn command(folder: &Path, model: &str, more: &[&str]) -> Command {
    let code = compose_letters_model("", "time.sleep(0.05)", "pass");
    let arguments = ["--task", STS, "--task", LAW, "--json", "--model", model, "--batch-tokens", "512"];
    let mut command = prepare_python_run(folder, &code, &arguments).unwrap();
    command.args(more);
    command
}

/// All files below `folder` by their paths in it, result files without their times.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        for path in fs::read_dir(&next).into_iter().flatten().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
            let bytes = fs::read(&path).unwrap();
            let bytes = match std::str::from_utf8(&bytes) {
                Ok(text) if name.ends_with(".json") && name.contains("Indonesian") => {
                    without_times(text).unwrap().into_bytes()
                }
                _ => bytes,
            };
            found.insert(name, bytes);
        }
    }
    found
}

/// What a run leaves: its results, and the embeddings that it has kept.
fn read_leftovers(folder: &Path) -> [BTreeMap<String, Vec<u8>>; 2] {
    [files(&folder.join("results")), files(&folder.join("cache/embeddings"))]
}

/// What a run with so many workers leaves, and its report.
fn left_by(model: &str, workers: &str) -> ([BTreeMap<String, Vec<u8>>; 2], Value) {
    let folder = tempfile::tempdir().unwrap();
    let mut command = command(folder.path(), model, &["--workers", workers]);
    if model == KEPT {
        let plugins = folder.path().join("plugins");
        faulty_plugin("changing_model", &plugins).unwrap();
        trust(folder.path(), &plugins).unwrap();
        command.arg("--plugin-dir").arg(&plugins);
    }
    let run = Run::of(&mut command).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    (read_leftovers(folder.path()), run.json().unwrap())
}

fn texts_of_workers(report: &Value) -> Vec<u64> {
    let workers = report["encoding"]["workers"].as_array().unwrap();
    workers.iter().map(|worker| worker["texts"].as_u64().unwrap()).collect()
}

#[test]
fn any_number_of_workers_leaves_the_same_bytes() {
    let models = [
        ("hashing", &["2"][..]),
        ("random", &["3"]),
        (KEPT, &["2", "3"]),
        ("python:mine.py:Letters", &["2"]),
    ];
    for (model, numbers) in models {
        let (one, report) = left_by(model, "1");
        let [encoded] = texts_of_workers(&report)[..] else { panic!("{report}") };
        assert!(one[0].len() > 2 && encoded > 100, "{:?}", one[0].keys());
        assert_eq!(one[1].is_empty(), model != KEPT, "{model}: {:?}", one[1].keys());
        for number in numbers {
            let (several, report) = left_by(model, number);
            assert_eq!(several, one, "{model} by {number} workers");
            let texts = texts_of_workers(&report);
            assert_eq!(
                (texts.len().to_string().as_str(), texts.iter().sum()),
                (*number, encoded),
                "{report}"
            );
        }
    }
}

#[test]
fn a_result_says_how_many_workers_have_made_it() {
    let folder = tempfile::tempdir().unwrap();
    let footprint = |more: &[&str]| {
        let run = Run::of(&mut command(folder.path(), "hashing", more)).unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let results = files(&folder.path().join("results"));
        let file = results.keys().find(|name| name.ends_with(&format!("{STS}.json"))).unwrap().clone();
        let text = fs::read_to_string(folder.path().join("results").join(file)).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()["mteb_host"]["footprint"].take()
    };
    let one = footprint(&[]);
    assert_eq!((one.get("workers"), one.get("worker_devices")), (None, None), "{one}");
    let two = footprint(&["--workers", "2", "--overwrite", "always"]);
    assert_eq!(two["workers"], 2, "{two}");
    assert_eq!(two["worker_devices"].as_array().unwrap().len(), 2, "{two}");
}

#[test]
fn the_batch_of_a_worker_that_is_killed_goes_to_another() {
    let (alone, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let model = "python:mine.py:Letters";
    let one = Run::of(&mut command(alone.path(), model, &[])).unwrap();
    assert_eq!(one.code, Some(0), "{}", one.stderr);
    let mut several = command(folder.path(), model, &["--workers", "3"]);
    several.env("MTEB_HOST_PROGRESS", "lines").stdout(Stdio::null()).stderr(Stdio::piped());
    let mut run = several.spawn().unwrap();
    let mut said = BufReader::new(run.stderr.take().unwrap());
    let mut line = String::new();
    // Speeds are said once batches are answered.
    while !line.contains("/s") {
        line.clear();
        assert!(said.read_line(&mut line).unwrap() > 0, "the run ended too early");
    }
    let computes = |number: &u32| {
        let line = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains("builtin:python")
    };
    let workers: Vec<u32> = plugin_workers(run.id()).into_iter().filter(computes).collect();
    assert_eq!(workers.len(), 3, "{line}");
    signal(workers[1], "-KILL");
    assert!(run.try_wait().unwrap().is_none(), "the run ended too early");
    let mut rest = String::new();
    said.read_to_string(&mut rest).unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(0), "{rest}");
    assert_eq!(read_leftovers(folder.path()), read_leftovers(alone.path()));
}

#[test]
fn a_text_that_ends_every_worker_fails_its_unit_alone() {
    for (trigger, cause) in
        [("ABORT", "the last words of this plugin"), ("KILL", "was killed by signal 9"), ("NAN", "found NaN")]
    {
        let folder = tempfile::tempdir().unwrap();
        write_task(folder.path(), trigger);
        let run = run_with(folder.path(), &["--workers", "3", "--batch-tokens", "1"]);
        assert_eq!(run.code, Some(1), "{trigger}: {}", run.stderr);
        let units = units(&run);
        assert_eq!(states(&units), ["scored", "failed", "scored"], "{trigger}");
        assert!(units[1]["reason"].as_str().unwrap().contains(cause), "{trigger}: {}", units[1]);
    }
}

#[test]
fn a_batch_for_which_memory_is_short_is_halved_by_several_workers_too() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path(), "GREEDY");
    let run = run_with(folder.path(), &["--workers", "2"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(states(&units(&run)), ["scored"; 3]);
}

#[test]
fn devices_that_are_not_there_are_refused_before_anything_starts() {
    for (devices, said) in [
        (
            "cuda:0,cuda:1",
            "error: `--devices`: expected GPUs of this machine, found cuda:0 where none is seen; `--workers N` shares the processor\n",
        ),
        (
            "all",
            "error: `--devices`: expected GPUs, found `all` where none is seen; `--workers N` shares the processor\n",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = command(folder.path(), "hashing", &["--devices", devices]);
        let run = Run::of(command.env("CUDA_VISIBLE_DEVICES", "")).unwrap();
        assert_eq!((run.code, run.stderr.as_str()), (Some(2), said));
        assert!(!folder.path().join("results").exists() && !folder.path().join("cache").exists());
    }
    for (arguments, said) in [
        (&["--devices", "gpu0"][..], "expected GPUs such as `cuda:0,cuda:1`, or `all`, found: gpu0"),
        (&["--devices", "cpu"], "found: cpu; `--workers N` shares the processor"),
        (&["--workers", "0"], "expected a whole number from 1 to 256"),
        (&["--workers", "2", "--devices", "all"], "cannot be used with"),
        (&["--device", "cpu", "--devices", "all"], "cannot be used with"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let run = Run::of(&mut command(folder.path(), "hashing", arguments)).unwrap();
        assert_eq!(run.code, Some(2), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(said), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn a_model_that_has_no_use_for_workers_says_so_in_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = host(folder.path());
    command.args(["run", "--registry", "indonesia", "--task", LAW, "--model", "bm25", "--workers", "2"]);
    let run = Run::of(&mut command).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.stderr, "bm25: the host itself ranks, on all cores; `--workers` changes nothing\n");
}

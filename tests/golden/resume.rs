//! A run that is killed goes on where it was.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use mteb_host_tests::{Run, host, shared, without_times};

const TASKS: [&str; 4] = ["SemRel24STS:ind,eng", "NusaXBitextMining", "NusaX-senti", "SciFact"];

#[test]
fn after_a_kill_the_same_command_gives_the_same_files() {
    let Some(shared) = shared() else { return };
    let hub = shared.join("hub");
    let (undisturbed, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    assert_eq!(Run::of(&mut run(undisturbed.path(), &hub)).unwrap().code, Some(0));

    let mut child = run(killed.path(), &hub).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let results = Path::new("results/mteb__baseline-random-encoder/2");
    let first = killed.path().join(results).join("SemRel24STS.json");
    while !first.exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();

    assert_eq!(Run::of(&mut run(killed.path(), &hub)).unwrap().code, Some(0));
    for task in TASKS.map(|task| task.split(':').next().unwrap()) {
        let read = |folder: &Path| {
            let text = fs::read_to_string(folder.join(results).join(format!("{task}.json"))).unwrap();
            without_times(&text).unwrap()
        };
        assert_eq!(read(undisturbed.path()), read(killed.path()), "{task}");
    }
    let left: Vec<_> = fs::read_dir(killed.path().join(results)).unwrap().flatten().collect();
    let left = left.iter().filter(|entry| entry.file_name().to_string_lossy().ends_with(".json"));
    assert_eq!(left.count(), TASKS.len() + 1, "the four results and model_meta.json");
}

#[test]
fn a_run_that_is_complete_is_not_done_again() {
    let Some(shared) = shared() else { return };
    let folder = tempfile::tempdir().unwrap();
    let hub = shared.join("hub");
    Run::of(&mut run(folder.path(), &hub)).unwrap();
    let file = folder.path().join("results/mteb__baseline-random-encoder/2/SciFact.json");
    let before = fs::read(&file).unwrap();
    let again = Run::of(run(folder.path(), &hub).arg("--json")).unwrap();
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    let report = again.json().unwrap();
    let states: Vec<&str> = report["tasks"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|task| task["units"].as_array().unwrap())
        .map(|unit| unit["state"].as_str().unwrap())
        .collect();
    assert!(states.iter().all(|state| *state == "found"), "{states:?}");
    assert_eq!(before, fs::read(&file).unwrap());
}

fn run(folder: &Path, hub: &Path) -> std::process::Command {
    let mut command = host(folder);
    command.args(["run", "--model", "random"]).arg("--hub-dir").arg(hub);
    for task in TASKS {
        command.args(["--task", task]);
    }
    command
}

//! Faults of the machine: afterwards the same command brings the same bytes, and nothing is left behind.

use std::fs;
use std::path::Path;
use std::process::Child;

use mteb_host_tests::Run;
use serde_json::Value;

use super::machine::{
    SmallDisk, finishes, first_result, leftovers, plugin_workers, processes, results, signal, slow,
    undisturbed, write_slow_task,
};

#[test]
fn a_read_only_output_folder_is_said_before_anything_is_encoded() {
    let folder = tempfile::tempdir().unwrap();
    write_slow_task(folder.path());
    let Some(disk) = SmallDisk::mount(&folder.path().join("results"), "ro") else { return };
    let run = Run::of(&mut slow(folder.path())).unwrap();
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    for part in ["cannot write results: ", "model_meta.json: Read-only file system"] {
        assert!(run.stderr.contains(part), "{}", run.stderr);
    }
    drop(disk);
    finishes(folder.path(), &undisturbed());
}

#[test]
fn a_full_disk_fails_units_and_the_next_run_scores_them() {
    let folder = tempfile::tempdir().unwrap();
    write_slow_task(folder.path());
    let Some(disk) = SmallDisk::mount(&folder.path().join("results"), "size=64k") else { return };
    let filler = disk.path.join("filler");
    // Room for the folders, the description of the model and the first results.
    fs::write(&filler, vec![0; 52 << 10]).unwrap();
    let run = Run::of(&mut slow(folder.path())).unwrap();
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("No space left on device"), "{}", run.stderr);
    fs::remove_file(&filler).unwrap();
    finishes(folder.path(), &undisturbed());
}

#[test]
fn two_runs_in_one_folder_at_once_give_what_one_gives() {
    let folder = tempfile::tempdir().unwrap();
    write_slow_task(folder.path());
    let runs: Vec<Child> = (0..2).map(|_| slow(folder.path()).spawn().unwrap()).collect();
    for run in runs {
        let output = run.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(results(&folder.path().join("results")), undisturbed());
    assert_eq!(leftovers(folder.path()), Vec::<std::path::PathBuf>::new());
}

#[test]
fn two_runs_of_different_subsets_keep_each_others_results() {
    let folder = tempfile::tempdir().unwrap();
    write_slow_task(folder.path());
    let runs: Vec<Child> = ["Slow:ace,ind,mad", "Slow:ban,jav,sun"]
        .iter()
        .map(|task| slow(folder.path()).args(["--task", task]).spawn().unwrap())
        .collect();
    for run in runs {
        let output = run.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(results(&folder.path().join("results")), undisturbed());
}

#[test]
fn an_interrupted_run_says_what_is_done_and_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    write_slow_task(folder.path());
    let mut run = slow(folder.path()).spawn().unwrap();
    first_result(folder.path(), &mut run);
    signal(run.id(), "-INT");
    let output = run.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("of 6 units done and saved"), "{said}");
    assert!(said.contains("run the same command again"), "{said}");
    assert!(!said.contains("failed"), "{said}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["mean_task"].is_null(), "what is done is no mean of what was asked for: {report}");
    nothing_is_left(folder.path());
    finishes(folder.path(), &undisturbed());
}

#[test]
fn a_worker_that_is_killed_is_started_again_and_costs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    write_slow_task(folder.path());
    let mut run = slow(folder.path()).spawn().unwrap();
    first_result(folder.path(), &mut run);
    plugin_workers(run.id()).into_iter().for_each(|worker| signal(worker, "-KILL"));
    let output = run.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(results(&folder.path().join("results")), undisturbed());
    nothing_is_left(folder.path());
}

#[test]
fn a_worker_ends_with_its_host() {
    let folder = tempfile::tempdir().unwrap();
    write_slow_task(folder.path());
    let mut run = slow(folder.path()).spawn().unwrap();
    first_result(folder.path(), &mut run);
    signal(run.id(), "-KILL");
    run.wait().unwrap();
    assert_eq!(processes(folder.path()), 0);
    finishes(folder.path(), &undisturbed());
}

fn nothing_is_left(folder: &Path) {
    assert_eq!(leftovers(folder), Vec::<std::path::PathBuf>::new());
    assert_eq!(processes(folder), 0);
}

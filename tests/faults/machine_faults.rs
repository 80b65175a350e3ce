//! Faults of the machine: afterwards the same command brings the same bytes, and nothing is left behind.
//! Nothing waits by a wall clock that jumps, and nothing is lost by what it says.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, SystemTime};

use mteb_host_tests::{Run, faulty_plugin, host};
use serde_json::Value;

use super::machine::{
    SmallDisk, command, files, finishes, first_result, leftovers, list_undisturbed, plugin_workers,
    processes, results, signal, slow, states, units, write_slow_task, write_task,
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
    finishes(folder.path(), &list_undisturbed());
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
    finishes(folder.path(), &list_undisturbed());
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
    assert_eq!(results(&folder.path().join("results")), list_undisturbed());
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
    assert_eq!(results(&folder.path().join("results")), list_undisturbed());
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
    finishes(folder.path(), &list_undisturbed());
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
    assert_eq!(results(&folder.path().join("results")), list_undisturbed());
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
    finishes(folder.path(), &list_undisturbed());
}

fn nothing_is_left(folder: &Path) {
    assert_eq!(leftovers(folder), Vec::<std::path::PathBuf>::new());
    assert_eq!(processes(folder), 0);
}

const YEAR: f64 = 365.25 * 24.0 * 3600.0;

#[test]
fn a_clock_that_jumps_years_at_every_reading_changes_the_dates_alone() {
    let (folder, calm) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for folder in [&folder, &calm] {
        write_slow_task(folder.path());
    }
    let run = Run::of(jumping(folder.path(), slow(folder.path()).args(["--batch-timeout", "60"]))).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(results(&folder.path().join("results")), list_undisturbed());
    assert_eq!(Run::of(&mut slow(calm.path())).unwrap().code, Some(0));
    let apart = (date(folder.path()) - date(calm.path())).abs();
    assert!(apart > YEAR, "the clock did not jump: {apart} seconds");
}

#[test]
fn an_endless_loop_is_ended_whatever_the_clock_says() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path(), "HANG");
    let mut command = command(folder.path());
    command.args(["--model", "faulty", "--batch-timeout", "1"]);
    let run = Run::of(jumping(folder.path(), &mut command)).unwrap();
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let units = units(&run);
    assert_eq!(states(&units), ["scored", "failed", "scored"]);
    assert!(units[1]["reason"].as_str().unwrap().contains("gave no answer for 1 s"), "{units:?}");
}

#[test]
fn files_of_another_time_are_as_good_as_those_of_today() {
    let expected = list_undisturbed();
    let day = Duration::from_secs(24 * 3600);
    let (ahead, past) = (SystemTime::UNIX_EPOCH + 60_000 * day, SystemTime::UNIX_EPOCH - 3000 * day);
    for time in [ahead, past] {
        let folder = tempfile::tempdir().unwrap();
        write_slow_task(folder.path());
        assert_eq!(Run::of(&mut slow(folder.path())).unwrap().code, Some(0));
        files(folder.path()).iter().for_each(|file| date_file(file, time));
        let again = Run::of(&mut slow(folder.path())).unwrap();
        assert_eq!(again.code, Some(0), "{}", again.stderr);
        assert!(states(&units(&again)).iter().all(|state| *state == "found"));
        let anew = Run::of(slow(folder.path()).args(["--overwrite", "always"])).unwrap();
        assert_eq!((anew.code, anew.stderr.as_str()), (Some(0), ""));
        assert_eq!(anew.json().unwrap()["texts"]["encoded"], 0, "all was in the cache");
        assert_eq!(results(&folder.path().join("results")), expected);
        the_cache_is_sound_and_keeps_its_limit(folder.path(), time);
    }
}

fn the_cache_is_sound_and_keeps_its_limit(folder: &Path, time: SystemTime) {
    files(&folder.join("cache")).iter().for_each(|file| date_file(file, time));
    let cache = |action: &str| Run::of(host(folder).args(["cache", action, "--json"])).unwrap();
    assert_eq!(cache("verify").code, Some(0));
    let bytes = |info: &Run| info.json().unwrap()["bytes"].as_u64().unwrap();
    let whole = bytes(&cache("info"));
    assert!(whole > 0);
    let limit = (whole - 1).to_string();
    let run = Run::of(slow(folder).args(["--overwrite", "always", "--cache-size", &limit])).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(bytes(&cache("info")) < whole);
}

/// The command with a clock that jumps, for the host and its workers.
fn jumping<'a>(folder: &Path, command: &'a mut Command) -> &'a mut Command {
    let library: PathBuf = faulty_plugin("jumping_clock", &folder.join("clock")).unwrap();
    command.env("LD_PRELOAD", library)
}

fn date(folder: &Path) -> f64 {
    let text = fs::read_to_string(folder.join("results/tests__faulty/1/Slow.json")).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["date"].as_f64().unwrap()
}

fn date_file(file: &Path, time: SystemTime) {
    File::open(file).unwrap().set_modified(time).unwrap();
}

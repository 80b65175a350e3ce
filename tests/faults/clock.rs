//! A clock that jumps: nothing waits by the wall clock, and nothing is lost by what it says.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use mteb_host_tests::{Run, faulty_plugin, host};
use serde_json::Value;

use super::machine::{files, results, slow, undisturbed, write_slow_task};
use super::trigger::{command, states, units, write_task};

const YEAR: f64 = 365.25 * 24.0 * 3600.0;

#[test]
fn a_clock_that_jumps_years_at_every_reading_changes_the_dates_alone() {
    let (folder, calm) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for folder in [&folder, &calm] {
        write_slow_task(folder.path());
    }
    let run = Run::of(jumping(folder.path(), slow(folder.path()).args(["--batch-timeout", "60"]))).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(results(&folder.path().join("results")), undisturbed());
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
    let expected = undisturbed();
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

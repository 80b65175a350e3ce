//! A run that is stopped (`SIGSTOP`) while it holds its folder of results, where the file system has locks: another one takes over and ends
//! well, and what was stopped writes nothing over it when it goes on.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use mteb_host_tests::{Run, host, write_pair_card, write_pairs};
use rustix::process::{Pid, Signal, kill_process};

fn scoring(folder: &Path) -> Command {
    let mut command = host(folder);
    command.args([
        "run",
        "--quiet",
        "--registry",
        "task.toml",
        "--model",
        "hashing",
        "--overwrite",
        "always",
    ]);
    command
}

/// A run that is stopped while it holds the folder at `results`.
fn stopped(folder: &Path, results: &Path) -> Child {
    let claim = results.join(".mteb-host-claim");
    loop {
        let mut run = scoring(folder).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        while run.try_wait().unwrap().is_none() {
            if !claim.exists() {
                continue;
            }
            kill_process(Pid::from_child(&run), Signal::STOP).unwrap();
            // The signal may come when it is too late.
            std::thread::sleep(std::time::Duration::from_millis(100));
            if claim.exists() {
                return run;
            }
            kill_process(Pid::from_child(&run), Signal::CONT).unwrap();
        }
    }
}

#[test]
fn a_stopped_run_is_taken_over_and_another_after_that_waits_for_nobody() {
    let folder = tempfile::tempdir().unwrap();
    write_pair_card(folder.path(), "Pairs", &["ind"]).unwrap();
    write_pairs(folder.path(), "ind", [("a", "b c", 1.0), ("d", "b c", 2.0), ("e f g", "b", 4.0)]).unwrap();
    let once = Run::of(&mut scoring(folder.path())).unwrap();
    assert_eq!(once.code, Some(0), "{}", once.stderr);
    let results = folder.path().join("results/mteb-host__hashing/1").canonicalize().unwrap();
    let stopped = stopped(folder.path(), &results);
    for _ in 0..2 {
        let next = Run::of(&mut scoring(folder.path())).unwrap();
        assert_eq!(next.code, Some(0), "{}", next.stderr);
    }
    kill_process(Pid::from_child(&stopped), Signal::CONT).unwrap();
    let ended = stopped.wait_with_output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    let names: Vec<_> = fs::read_dir(&results).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(names.iter().all(|name| !name.to_string_lossy().starts_with(".mteb-host-")), "{names:?}");
}

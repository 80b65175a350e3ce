//! File systems on which nothing can be locked, as Lustre is by default and NFS without its daemon, and a run
//! that is stopped while it holds its folder of results: results are kept all the same.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::{fs, io};

use mteb_host_tests::{Run, host, write_pair_card, write_pairs};
use rustix::process::{Pid, Signal, kill_process};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};
use serde_json::Value;

use super::machine::leftovers;

const SUBSETS: [&str; 8] = ["ace", "ban", "bug", "ind", "jav", "mad", "min", "sun"];

/// What such file systems say: of Lustre, and of NFS.
const ABSENT: [i32; 2] = [libc::ENOSYS, libc::ENOLCK];

/// Starts a command for which `flock` fails with `error`, wherever it is called.
fn start_without_locks(mut command: Command, error: i32) -> Child {
    let start = move || {
        let calls = BTreeMap::from([(libc::SYS_flock, Vec::new())]);
        let refusal = SeccompAction::Errno(error.unsigned_abs());
        let arch = std::env::consts::ARCH.try_into().unwrap();
        let filter = SeccompFilter::new(calls, SeccompAction::Allow, refusal, arch).unwrap();
        let program: BpfProgram = filter.try_into().unwrap();
        apply_filter(&program).unwrap();
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()
    };
    // The filter holds for this thread and what it starts.
    std::thread::spawn(start).join().unwrap().unwrap()
}

fn write_task(folder: &Path) {
    write_pair_card(folder, "Shared", &SUBSETS).unwrap();
    for (number, subset) in SUBSETS.iter().enumerate() {
        let pairs = [("a", "b c", 1.0), ("d", "b c", 2.0 + number as f64 / 8.0), ("d e f", "b c", 4.0)];
        write_pairs(folder, subset, pairs).unwrap();
    }
}

fn score_subsets(folder: &Path, subsets: &[&str]) -> Command {
    let mut command = host(folder);
    command.args(["run", "--quiet", "--registry", "task.toml", "--model", "hashing"]);
    command.args(["--task", &format!("Shared:{}", subsets.join(","))]);
    command
}

/// The subsets in the result file of the task.
fn list_results(folder: &Path) -> Vec<String> {
    let file = folder.join("results/mteb-host__hashing/1/Shared.json");
    let text = fs::read_to_string(file).unwrap().replace("NaN", "null");
    let result: Value = serde_json::from_str(&text).unwrap();
    let entries = result["scores"]["test"].as_array().unwrap().iter();
    let mut subsets: Vec<String> =
        entries.map(|entry| entry["hf_subset"].as_str().unwrap().to_owned()).collect();
    subsets.sort();
    subsets
}

fn ends_well(child: Child) {
    let ended = child.wait_with_output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
}

#[test]
fn runs_of_other_subsets_at_the_same_time_keep_all_of_them() {
    // Some know the lock of the system and some do not, as on two machines that see one file system.
    for errors in [[Some(ABSENT[0]); 4], [Some(ABSENT[1]); 4], [Some(ABSENT[0]), None, Some(ABSENT[1]), None]]
    {
        let folder = tempfile::tempdir().unwrap();
        write_task(folder.path());
        let started: Vec<Child> = SUBSETS
            .chunks(2)
            .zip(errors)
            .map(|(subsets, error)| {
                let mut command = score_subsets(folder.path(), subsets);
                match error {
                    Some(error) => start_without_locks(command, error),
                    None => command.stderr(Stdio::piped()).spawn().unwrap(),
                }
            })
            .collect();
        started.into_iter().for_each(ends_well);
        assert_eq!(list_results(folder.path()), SUBSETS, "{errors:?}");
        assert_eq!(leftovers(folder.path()), Vec::<std::path::PathBuf>::new());
    }
}

#[test]
fn what_a_killed_process_held_is_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path());
    ends_well(start_without_locks(score_subsets(folder.path(), &SUBSETS[..4]), ABSENT[0]));
    let results = folder.path().join("results/mteb-host__hashing/1").canonicalize().unwrap();
    let claim = results.join(".mteb-host-claim");
    // A process of this machine that has ended in the middle of writing.
    let mut ended = Command::new("true").spawn().unwrap();
    let id = ended.id();
    ended.wait().unwrap();
    let mine = mteb_files::Owner::this("0123456789abcdef").to_string();
    let name = mine.replace(&format!("-{}-", std::process::id()), &format!("-{id}-"));
    fs::create_dir(&claim).unwrap();
    fs::write(claim.join(&name), "{\"half of a res").unwrap();
    ends_well(start_without_locks(score_subsets(folder.path(), &SUBSETS[4..]), ABSENT[0]));
    assert_eq!(list_results(folder.path()), SUBSETS);
    assert!(!claim.exists());
}

#[test]
fn locks_of_data_and_the_cache_need_no_locks_of_the_system() -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    write_task(folder.path());
    fs::write(folder.path().join("mine.toml"), "schema = 1\nname = \"mine\"\ncards = [\"task.toml\"]\n")?;
    let mut locking = host(folder.path());
    locking.args(["run", "--quiet", "--registry", "mine.toml", "--update-lock", "--model", "hashing"]);
    ends_well(start_without_locks(locking, ABSENT[0]));
    assert_eq!(
        fs::read_to_string(folder.path().join("mine.lock.toml"))?.matches("[[file]]").count(),
        SUBSETS.len()
    );
    // Its cache and its temporary folders work, too, and leave nothing.
    let verified = Run::of(host(folder.path()).args(["cache", "verify"]))?;
    assert_eq!(verified.code, Some(0), "{}", verified.stderr);
    assert!(fs::read_dir(folder.path().join("cache"))?.count() > 0);
    assert_eq!(leftovers(folder.path()), Vec::<std::path::PathBuf>::new());
    Ok(())
}

fn score_again(folder: &Path) -> Command {
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
fn stop_run(folder: &Path, results: &Path) -> Child {
    let claim = results.join(".mteb-host-claim");
    loop {
        let mut run = score_again(folder).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
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
    let once = Run::of(&mut score_again(folder.path())).unwrap();
    assert_eq!(once.code, Some(0), "{}", once.stderr);
    let results = folder.path().join("results/mteb-host__hashing/1").canonicalize().unwrap();
    let stopped = stop_run(folder.path(), &results);
    for _ in 0..2 {
        let next = Run::of(&mut score_again(folder.path())).unwrap();
        assert_eq!(next.code, Some(0), "{}", next.stderr);
    }
    kill_process(Pid::from_child(&stopped), Signal::CONT).unwrap();
    let ended = stopped.wait_with_output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    let names: Vec<_> = fs::read_dir(&results).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(names.iter().all(|name| !name.to_string_lossy().starts_with(".mteb-host-")), "{names:?}");
}

//! Whoever is asked and says nothing keeps no run that Ctrl-C was to end.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use mteb_host_tests::{Lie, LyingHub, Run, host, interruptible, write_pair_card, write_pairs};
use rustix::fs::{FlockOperation, flock};

use super::hub::User;

/// Longer than any machine takes to end, and far shorter than the silence.
const SOON: Duration = Duration::from_secs(30);

/// Waits until `is_so`, for a minute at most.
fn wait_for(mut is_so: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < until, "it never came to it");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Sends one Ctrl-C, and gives the exit code and what was said, if the process ends soon.
fn interrupted(mut child: Child) -> Option<(Option<i32>, String)> {
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let until = Instant::now() + SOON;
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > until {
            child.kill().unwrap();
            child.wait().unwrap();
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let ended = child.wait_with_output().unwrap();
    Some((ended.status.code(), String::from_utf8_lossy(&ended.stderr).into_owned()))
}

#[test]
fn one_ctrl_c_ends_a_run_at_a_silent_hub() {
    for lie in [Lie::Silent, Lie::Drips] {
        let user = User::new();
        let hub = LyingHub::start(lie.clone()).unwrap();
        let mut command =
            user.command(&hub.address, &["run", "--registry", "Lies.toml", "--model", "hashing"]);
        command.env("HF_HUB_DOWNLOAD_TIMEOUT", "300");
        let mut command = interruptible(&command);
        let child =
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        wait_for(|| hub.asked() > 0);
        std::thread::sleep(Duration::from_millis(300));
        let (code, said) = interrupted(child).unwrap_or_else(|| panic!("{lie:?}: it did not end"));
        assert_eq!(code, Some(130), "{lie:?}: {said}");
        assert!(said.contains("interrupted: ending cleanly"), "{said}");
        assert!(!fs::exists(user.file()).unwrap());
    }
}

#[test]
fn one_ctrl_c_ends_a_run_that_waits_for_a_folder_that_another_program_has_locked() {
    let folder = tempfile::tempdir().unwrap();
    write_pair_card(folder.path(), "Pairs", &["ind"]).unwrap();
    write_pairs(folder.path(), "ind", [("a", "b c", 1.0), ("d", "b c", 2.0), ("e f g", "b", 4.0)]).unwrap();
    let arguments = ["run", "--quiet", "--registry", "task.toml", "--model", "hashing"];
    let once = Run::of(host(folder.path()).args(arguments)).unwrap();
    assert_eq!(once.code, Some(0), "{}", once.stderr);
    let results = folder.path().join("results/mteb-host__hashing/1").canonicalize().unwrap();
    let locked = fs::File::open(&results).unwrap();
    flock(&locked, FlockOperation::LockExclusive).unwrap();
    let mut command = interruptible(host(folder.path()).args(arguments));
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let open = format!("/proc/{}/fd", child.id());
    let waits = || {
        let files = fs::read_dir(&open).into_iter().flatten().flatten();
        files.filter_map(|file| fs::read_link(file.path()).ok()).any(|file| file == results)
    };
    wait_for(waits);
    let (code, said) = interrupted(child).expect("it ends");
    assert_eq!(code, Some(130), "{said}");
    assert!(said.contains("interrupted: ending cleanly"), "{said}");
    // What it would say once it has waited as long as without Ctrl-C.
    assert!(!said.contains("has been locked by another program"), "{said}");
}

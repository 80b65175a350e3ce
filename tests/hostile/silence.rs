//! Whoever is asked and says nothing keeps no run that Ctrl-C was to end.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use mteb_host_tests::{Lie, LyingHub, interruptible};

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

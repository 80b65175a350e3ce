//! Linux: the signal that the kernel sends at a parent's death, and descriptors of processes.

use std::os::fd::OwnedFd;
use std::process::Child;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, set_parent_process_death_signal};

pub fn die_with_parent() {
    // Without this the process still ends at the end of its input.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
}

pub fn end_of(child: &Child) -> Option<OwnedFd> {
    let pid = Pid::from_raw(i32::try_from(child.id()).ok()?)?;
    pidfd_open(pid, PidfdFlags::empty()).ok()
}

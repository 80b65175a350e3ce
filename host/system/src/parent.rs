//! A process that ends with the one that started it, and one that sees another end.

use std::io;
use std::os::fd::OwnedFd;
use std::process::Child;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(not(target_os = "linux"))]
use portable as system;

/// Makes the system kill this process when its parent, the process `host`, dies. A system that cannot do that leaves it to the
/// streams between the two, which end then.
///
/// # Errors
/// If the parent is dead already.
pub fn end_with(host: u32) -> io::Result<()> {
    system::die_with_parent();
    let parent = rustix::process::getppid().map(|parent| parent.as_raw_nonzero().get().unsigned_abs());
    if parent == Some(host) { Ok(()) } else { Err(io::Error::other("the host is gone")) }
}

/// A descriptor that can be read once `child` has ended; `None` where the system has no such thing.
pub fn end_of(child: &Child) -> Option<OwnedFd> {
    system::end_of(child)
}

#[cfg(target_os = "linux")]
mod linux {
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
}

#[cfg(any(test, not(target_os = "linux")))]
mod portable {
    //! Other systems: a process ends at the end of its input, and is waited for by its pipes alone.

    use std::os::fd::OwnedFd;
    use std::process::Child;

    pub fn die_with_parent() {}

    pub fn end_of(_child: &Child) -> Option<OwnedFd> {
        None
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use rustix::event::{PollFd, PollFlags, poll};

    use super::*;

    #[test]
    fn a_process_whose_parent_is_another_is_told() {
        assert_eq!(end_with(std::process::id()).unwrap_err().to_string(), "the host is gone");
        portable::die_with_parent();
    }

    #[test]
    fn the_end_of_a_child_is_seen() {
        let mut child = Command::new("true").spawn().unwrap();
        assert!(portable::end_of(&child).is_none());
        if let Some(end) = end_of(&child) {
            poll(&mut [PollFd::new(&end, PollFlags::IN)], None).unwrap();
            assert!(child.try_wait().unwrap().is_some());
        }
        child.wait().unwrap();
    }
}

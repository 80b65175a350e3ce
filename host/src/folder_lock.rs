//! Waits for a folder that another process has locked: says so after a moment, and lets Ctrl-C through.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use crate::interrupt;
use crate::output;

/// How long nothing is said.
const SILENT: Duration = Duration::from_secs(1);

/// Longest time between two looks at a lock.
const LOOK: Duration = Duration::from_millis(50);

/// Locks the open `folder` at `path`; false on a file system without locks.
///
/// # Errors
/// [`ErrorKind::Interrupted`] if the run is to end while another process has the lock.
pub fn lock(folder: &File, path: &Path) -> io::Result<bool> {
    let begin = Instant::now();
    let (mut pause, mut is_said) = (Duration::from_millis(1), false);
    loop {
        match flock(folder, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(true),
            Err(Errno::INTR) => continue,
            Err(Errno::WOULDBLOCK) => {}
            Err(_) => return Ok(false),
        }
        if interrupt::requested() {
            let message = format!("interrupted while another process wrote to {}", path.display());
            return Err(io::Error::new(ErrorKind::Interrupted, message));
        }
        if !is_said && begin.elapsed() >= SILENT {
            is_said = true;
            let who = holder(folder).unwrap_or_else(|| "another process".to_owned());
            output::warn(format!("{}: waiting for {who}, which has locked this folder", path.display()));
        }
        std::thread::sleep(pause);
        pause = (2 * pause).min(LOOK);
    }
}

/// The process that has the lock, as the system lists it.
fn holder(folder: &File) -> Option<String> {
    let inode = folder.metadata().ok()?.ino().to_string();
    let locks = fs::read_to_string("/proc/locks").ok()?;
    let process = locks.lines().find_map(|line| process_of(line, &inode))?;
    let name = fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default();
    match name.trim() {
        "" => Some(format!("process {process}")),
        name => Some(format!("process {process} ({name})")),
    }
}

/// The process of a line like `1: FLOCK  ADVISORY  WRITE 708 08:01:1234 0 EOF` about the file of that inode; a line with
/// `->` is of one that waits.
fn process_of<'a>(line: &'a str, inode: &str) -> Option<&'a str> {
    let [_, "FLOCK", _, _, process, place, ..] = line.split_whitespace().collect::<Vec<_>>()[..] else {
        return None;
    };
    (place.rsplit(':').next() == Some(inode)).then_some(process)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_holder_is_found_and_who_waits_is_not() {
        let held = "3: FLOCK  ADVISORY  WRITE 708 fe:00:1234 0 EOF";
        assert_eq!(process_of(held, "1234"), Some("708"));
        assert_eq!(process_of(held, "12345"), None);
        assert_eq!(process_of("3: -> FLOCK  ADVISORY  WRITE 9 fe:00:1234 0 EOF", "1234"), None);
        assert_eq!(process_of("4: POSIX  ADVISORY  READ  9 fe:00:1234 0 EOF", "1234"), None);
        assert_eq!(process_of("", "1234"), None);
    }
}

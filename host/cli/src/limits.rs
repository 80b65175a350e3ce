//! Limits of the system below which the program cannot work, said at the start, and the threads
//! that compute.

use std::env;

use mteb_base::threads::{ThreadsError, counts_threads, most, start as start_threads, too_many};
use mteb_system::process::address_space;
use rustix::process::{Resource, getrlimit};

use crate::output;

/// Each resource, the least of it, what it is, and the option of `ulimit` that sets it.
const LEAST: [(Resource, u64, &str, &str); 3] = [
    (Resource::Nofile, 32, "open files", "-n"),
    (Resource::Stack, 256 << 10, "bytes of stack", "-s"),
    (Resource::Data, 64 << 20, "bytes of data", "-d"),
];

/// Bytes of address space that a command takes beyond the program as it was started: stacks of threads, heaps, mapped files. With
/// less, the smallest task fails somewhere; what needs more than there is fails where it asks for it.
const ROOM: u64 = 96 << 20;

/// A limit that is too low; the message says what raises it.
#[derive(Debug, thiserror::Error)]
#[error("expected a limit of at least {least} {what}, found {found}; raise it with `ulimit {option}`")]
pub struct LimitError {
    least: u64,
    what: &'static str,
    found: u64,
    option: &'static str,
}

/// Checks the limits of this process.
///
/// # Errors
/// The first limit that is too low.
pub fn check() -> Result<(), LimitError> {
    for (resource, least, what, option) in LEAST {
        if let Some(found) = getrlimit(resource).current.filter(|found| *found < least) {
            return Err(LimitError { least, what, found, option });
        }
    }
    let limit = getrlimit(Resource::As).current;
    if let (Some(found), Some(size)) = (limit, address_space())
        && found < size + ROOM
    {
        return Err(LimitError { least: size + ROOM, what: "bytes of address space", found, option: "-v" });
    }
    Ok(())
}

/// Threads that a command starts beside those that compute: for signals, progress, reading, scoring and downloads.
const OTHERS: usize = 8;

/// Starts the threads, and says which variables ask for more than help.
///
/// # Errors
/// If the system does not give enough of them.
pub fn start_computing() -> Result<(), ThreadsError> {
    for (name, value) in env::vars_os() {
        let (Some(name), Some(value)) = (name.to_str(), value.to_str()) else { continue };
        if counts_threads(name) && too_many(value).is_some() {
            let most = most();
            output::warn(format!(
                "`{name}`: expected at most {most} threads on this machine, found: {value}; {most} are used"
            ));
        }
    }
    start_threads(OTHERS)
}

//! What the system asks and allows: Ctrl-C and its like (the first one ends a run cleanly, the
//! second one at once), the signals of a file that is too large and of memory that is refused, and
//! limits below which the program cannot work, said at the start.

use std::env;
use std::io;
use std::sync::Arc;
use std::thread::Builder;

use mteb_base::interrupt;
use mteb_base::threads::{ThreadsError, counts_threads, most, stack, start as start_threads, too_many};
use mteb_system::process::address_space;
use rustix::process::{Resource, getrlimit};
use signal_hook::consts::{SIGABRT, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use signal_hook::iterator::Signals;

use crate::exit::{Exit, INTERRUPTED};
use crate::output;

/// Names the stream that ends with the program that started this one; only `stdin` is known. The Python package sets it.
const CALLER: &str = "MTEB_HOST_CALLER";

/// From here on the first signal only asks the run to end. One that whoever started the program ignores, as `nohup` does,
/// stays ignored.
///
/// # Errors
/// If the system lets no signal be watched; then each ends the program.
pub fn watch_signals() -> io::Result<()> {
    let ignored = mteb_system::process::ignored_signals();
    let watched = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !ignored.contains(signal));
    let mut signals = Signals::new(watched)?;
    Builder::new().stack_size(stack()).name("signals".to_owned()).spawn(move || {
        for _ in signals.forever() {
            if interrupt::request() {
                std::process::exit(INTERRUPTED.into());
            }
            output::say("interrupted: ending cleanly; a second Ctrl-C ends at once");
        }
    })?;
    end_with_caller()
}

/// Ends the run as Ctrl-C does once the caller that holds the other end of standard input is gone, however it ended.
fn end_with_caller() -> io::Result<()> {
    if std::env::var_os(CALLER).is_none_or(|stream| stream != "stdin") {
        return Ok(());
    }
    let wait = || {
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        if !interrupt::request() {
            output::say("interrupted: the program that started this one has ended");
        }
    };
    Builder::new().stack_size(stack()).name("caller".to_owned()).spawn(wait).map(drop)
}

/// From here on Ctrl-C is for the program that this one waits for, which has it too and ends in its own way.
pub fn leave_to_started_program() {
    // Without it this program ends first.
    let _ = flag::register(SIGINT, Arc::default());
}

/// Says what failed, unless the run is to end: it then waits for nobody, and what it does not get is no news.
pub fn say_unless_ended(error: &str) {
    if !interrupt::requested() {
        output::error(error);
    }
}

/// From here on a write beyond the limit of file sizes (`ulimit -f`) fails as one on a full disk does, and ends nothing.
pub fn survive_full_files() {
    // A system without that signal ends nothing for it.
    let _ = flag::register(SIGXFSZ, Arc::default());
}

/// From here on a request for memory that the system refuses ends the program as a failure, with the line that says how much was
/// asked for, and not by a signal.
pub fn end_where_memory_is_refused() {
    // Without it the system ends the program by a signal; nothing else is lost.
    let _ = flag::register_conditional_shutdown(SIGABRT, Exit::Failed.code().into(), Arc::new(true.into()));
}

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
pub fn check_limits() -> Result<(), LimitError> {
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

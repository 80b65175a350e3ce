//! Ctrl-C and its like: the first one ends a run cleanly, the second one at once; and the signals of a file that is too large and of memory that
//! the system refuses.

use std::io;
use std::sync::Arc;
use std::thread::Builder;

use mteb_base::interrupt;
use mteb_base::threads::stack;
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
pub fn watch() -> io::Result<()> {
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

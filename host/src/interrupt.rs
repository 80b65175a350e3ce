//! Ctrl-C and its like: the first one ends a run cleanly, the second one at once.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Exit code of a run that was interrupted, as shells count it.
pub const EXIT_CODE: u8 = 130;

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// From here on the first signal only asks the run to end.
///
/// # Errors
/// If the system lets no signal be watched; then each ends the program.
pub fn watch() -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for _ in signals.forever() {
            if REQUESTED.swap(true, Ordering::SeqCst) {
                std::process::exit(EXIT_CODE.into());
            }
            eprintln!("interrupted: ending cleanly; a second Ctrl-C ends at once");
        }
    })?;
    Ok(())
}

/// True if the run is to end.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}

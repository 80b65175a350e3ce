//! A run can be asked to end: it ends its worker, drops the unit it was at, and keeps what is done.

use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Asks every run of this process to end, and to wait for nobody's lock; true if it was asked before.
pub fn request() -> bool {
    mteb_files::stop_waiting();
    REQUESTED.swap(true, Ordering::SeqCst)
}

/// True if the run is to end.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}

//! The threads that compute, and what the user is told of their number.

use std::env;

use mteb_base::threads::{ThreadsError, counts_threads, most, start as start_threads, too_many};

use crate::output;

/// Threads that a command starts beside those that compute: for signals, progress, reading, scoring and downloads.
const OTHERS: usize = 8;

/// Starts the threads, and says which variables ask for more than help.
///
/// # Errors
/// If the system does not give enough of them.
pub fn start() -> Result<(), ThreadsError> {
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

//! The wall clock, which may jump: for dates that people read, and for which rows of the cache were used last. Nothing
//! waits by it; deadlines are `Instant`s.

#![expect(clippy::disallowed_methods, reason = "this is the one place that reads the wall clock")]

use std::time::{Duration, SystemTime};

/// The time as the clock shows it now.
pub fn now() -> SystemTime {
    SystemTime::now()
}

/// Seconds since 1970, as result files have them; 0 where the clock stands before that.
pub fn seconds() -> f64 {
    now().duration_since(SystemTime::UNIX_EPOCH).map_or(0.0, |now| now.as_secs_f64())
}

/// How long `time` is past; nothing if it lies ahead.
pub fn since(time: SystemTime) -> Duration {
    time.elapsed().unwrap_or_default()
}

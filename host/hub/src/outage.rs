//! Remembers who cannot be reached, so that a dead network is met once and not by every unit of a run.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long nobody is asked again who could not be reached.
const QUIET: Duration = Duration::from_secs(60);

/// The addresses that could not be reached, and why.
#[derive(Debug, Default)]
pub(crate) struct Outages(Mutex<HashMap<String, (Instant, String)>>);

impl Outages {
    /// Why `place` could not be reached a short time ago.
    pub fn of(&self, place: &str) -> Option<String> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(place).filter(|(since, _)| since.elapsed() < QUIET).map(|(_, why)| why.clone())
    }

    /// Notes that `place` cannot be reached.
    pub fn note(&self, place: &str, why: &str) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(place.to_owned(), (Instant::now(), why.to_owned()));
    }
}

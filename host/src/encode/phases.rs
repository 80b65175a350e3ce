//! Notes what the work of a task consisted of (protocol 9.2, `evaluation_phases`).

use std::time::Instant;

use crate::results::Phase;

/// The phases of one task, in seconds from its start.
#[derive(Debug)]
pub struct PhaseLog {
    begin: Instant,
    phases: Vec<Phase>,
    open: bool,
}

impl PhaseLog {
    /// An empty log that starts now.
    pub fn new() -> Self {
        Self { begin: Instant::now(), phases: Vec::new(), open: false }
    }

    /// Begins a phase and ends the one before it.
    pub fn begin(&mut self, name: &str, split: &str, subset: &str) {
        self.end();
        let start = self.begin.elapsed().as_secs_f64();
        let (split, subset) = (split.to_owned(), subset.to_owned());
        self.phases.push(Phase { name: name.to_owned(), start, end: start, split, subset });
        self.open = true;
    }

    /// Ends the current phase.
    pub fn end(&mut self) {
        let now = self.begin.elapsed().as_secs_f64();
        if let Some(phase) = self.phases.last_mut().filter(|_| self.open) {
            phase.end = now;
        }
        self.open = false;
    }

    /// Seconds since the start.
    pub fn seconds(&self) -> f64 {
        self.begin.elapsed().as_secs_f64()
    }

    /// The phases so far.
    pub fn phases(&self) -> &[Phase] {
        &self.phases
    }
}

impl Default for PhaseLog {
    fn default() -> Self {
        Self::new()
    }
}

//! What the workers of a run have used, one after the other.

use std::time::Duration;

use mteb_system::process::{peak_memory, processor_time};

/// Processor time and memory of all workers so far.
#[derive(Debug, Default)]
pub struct WorkerUse {
    /// The worker that was seen last, and its processor time then.
    last: Option<(u32, Duration)>,
    /// Processor time of the workers before it, and before it was first seen.
    before: Duration,
    memory: Option<u64>,
}

impl WorkerUse {
    /// Looks at the worker that has just answered; what it did before it was seen for the first time, which is to load the model,
    /// does not count.
    pub fn note(&mut self, process: Option<u32>) {
        let Some((process, now)) =
            process.and_then(|process| Some((process, processor_time(Some(process))?)))
        else {
            return;
        };
        match &mut self.last {
            Some((last, time)) if *last == process => {
                self.before += now.saturating_sub(*time);
                *time = now;
            }
            last => *last = Some((process, now)),
        }
    }

    /// Processor time so far.
    pub fn processor(&self) -> Duration {
        self.before
    }

    /// The most memory that was resident at any time, this worker's included.
    pub fn memory(&mut self, process: Option<u32>) -> Option<u64> {
        self.memory = self.memory.max(process.and_then(|process| peak_memory(Some(process))));
        self.memory
    }
}

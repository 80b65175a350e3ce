//! What the workers of a run have used, one after the other, and how much of the time they were
//! busy.

use std::time::{Duration, Instant};

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

/// Time between the first question to the worker and its last answer, and the part in which it was busy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Occupation {
    busy: Duration,
    span: Option<(Instant, Instant)>,
}

impl Occupation {
    /// The worker was busy from `begin` to `end`.
    pub fn add(&mut self, begin: Instant, end: Instant) {
        self.busy += end.saturating_duration_since(begin);
        let first = self.span.map_or(begin, |(first, _)| first);
        self.span = Some((first, end));
    }

    /// Time in which the worker was busy.
    pub fn busy(&self) -> Duration {
        self.busy
    }

    /// The part of the time, from 0 to 1, in which the worker waited for the host; `None` if it was never asked.
    pub fn idle_share(&self) -> Option<f64> {
        let (first, last) = self.span?;
        let span = last.saturating_duration_since(first).as_secs_f64();
        (span > 0.0).then(|| (1.0 - self.busy.as_secs_f64() / span).clamp(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_waits_between_its_first_question_and_its_last_answer() {
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        let mut occupation = Occupation::default();
        assert_eq!(occupation.idle_share(), None);
        occupation.add(at(10), at(12));
        occupation.add(at(17), at(18));
        assert_eq!(occupation.busy(), Duration::from_secs(3));
        assert_eq!(occupation.idle_share(), Some(0.625));
    }
}

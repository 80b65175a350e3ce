//! Progress in lines on standard error, for a program that shows it in its own way: the Python package in a notebook.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use mteb_models::encode::WorkerSpeed;

use super::estimate::{Work, in_words};
use super::worker_lines::speeds_in_short;
use crate::output;

/// Variable that asks for lines.
const VARIABLE: &str = "MTEB_HOST_PROGRESS";

/// Its value that does.
const LINES: &str = "lines";

/// Shortest time between two lines.
const PAUSE: Duration = Duration::from_secs(1);

/// Says at most one line a second, and that all is done.
#[derive(Debug, Default)]
pub struct ProgressLines(Mutex<Option<Instant>>);

impl ProgressLines {
    /// If whoever started the program asks for lines.
    pub fn if_asked() -> Option<Self> {
        std::env::var_os(VARIABLE).is_some_and(|value| value == LINES).then(Self::default)
    }

    /// Says how far the work is after `elapsed`, if it is time to.
    pub fn say(&self, work: Work, elapsed: Duration, task: &str, workers: &[WorkerSpeed]) {
        if work.units_done < work.units && !self.is_due() {
            return;
        }
        output::say(line(work, elapsed, task, workers));
    }

    fn is_due(&self) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = last.is_none_or(|last| last.elapsed() >= PAUSE);
        if is_due {
            *last = Some(Instant::now());
        }
        is_due
    }
}

fn line(work: Work, elapsed: Duration, task: &str, workers: &[WorkerSpeed]) -> String {
    let Work { units, units_done, texts, texts_done, .. } = work;
    let left = in_words(work.time_left(elapsed));
    let begin = format!("progress: {units_done}/{units} units, {texts_done}/{} texts", texts.max(texts_done));
    let speeds =
        speeds_in_short(workers).map(|speeds| in_all(workers, elapsed) + &speeds).unwrap_or_default();
    let more = [speeds.as_str(), left.as_str(), task].into_iter().filter(|text| !text.is_empty());
    more.fold(begin, |line, text| format!("{line}, {text}"))
}

/// Texts a second of all workers together, by the time that the run has taken.
fn in_all(workers: &[WorkerSpeed], elapsed: Duration) -> String {
    let texts: u64 = workers.iter().map(|worker| worker.texts).sum();
    match elapsed.as_secs_f64() {
        seconds if seconds > 0.0 => format!("{:.0} texts/s: ", texts as f64 / seconds),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_workers_say_how_fast_each_is() {
        let work = Work { units: 4, units_done: 1, units_read: 2, texts: 100, texts_done: 50 };
        let worker = |device: &str, texts| WorkerSpeed {
            device: device.to_owned(),
            texts,
            busy: Duration::from_secs(2),
        };
        let workers = [worker("cuda:0", 30), worker("cuda:1", 20)];
        assert_eq!(
            line(work, Duration::from_secs(2), "STS", &workers),
            "progress: 1/4 units, 50/100 texts, 25 texts/s: cuda:0 15/s, cuda:1 10/s, STS"
        );
    }

    #[test]
    fn a_line_says_what_is_done_and_what_is_left() {
        let work = Work { units: 4, units_done: 1, units_read: 2, texts: 100, texts_done: 50 };
        assert_eq!(line(work, Duration::ZERO, "STS", &[]), "progress: 1/4 units, 50/100 texts, STS");
        let later = line(work, Duration::from_secs(600), "", &[]);
        assert_eq!(later, "progress: 1/4 units, 50/100 texts, about 30 min left");
    }
}

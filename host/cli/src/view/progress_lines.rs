//! Progress in lines on standard error, and how fast each worker is: for a program that shows it in
//! its own way, as the Python package in a notebook, and for logs.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use mteb_models::encode::WorkerSpeed;

use super::estimate::{Work, rate, time_in_words};
use crate::output;

/// Variable that asks for lines.
const VARIABLE: &str = "MTEB_HOST_PROGRESS";

/// Its value for a program that shows them in its own way: the first at once, then one a second.
const LINES: &str = "lines";

/// Seconds between two lines of a log where nobody says another number; 0 is none.
const PAUSE: u64 = 30;

/// Says a line from time to time, and that all is done.
#[derive(Debug)]
pub struct ProgressLines {
    pause: Duration,
    /// True if the last line is one that a program waits for.
    is_asked: bool,
    last: Mutex<Option<Instant>>,
}

impl ProgressLines {
    /// Lines for whoever started the program and asks for them, or for a log, in which nothing is said of a run that is done sooner.
    pub fn new(is_log: bool) -> Option<Self> {
        Self::choose(std::env::var(VARIABLE).ok().as_deref(), is_log)
    }

    fn choose(asked: Option<&str>, is_log: bool) -> Option<Self> {
        if asked == Some(LINES) {
            let pause = Duration::from_secs(1);
            return Some(Self { pause, is_asked: true, last: Mutex::new(None) });
        }
        let seconds = asked.and_then(|seconds| seconds.parse().ok()).unwrap_or(PAUSE);
        let last = Mutex::new(Some(Instant::now()));
        let lines = Self { pause: Duration::from_secs(seconds), is_asked: false, last };
        Some(lines).filter(|_| is_log && seconds > 0)
    }

    /// Says what is done before there are units to count.
    pub fn begin(&self, what: &str) {
        if self.is_asked {
            output::say(format!("progress: {what}"));
        }
    }

    /// Says how far the work is after `elapsed`, if it is time to.
    pub fn say(&self, work: Work, elapsed: Duration, task: &str, workers: &[WorkerSpeed]) {
        let is_last = self.is_asked && work.units_done >= work.units;
        if is_last || self.is_due() {
            output::say(line(work, elapsed, task, workers));
        }
    }

    fn is_due(&self) -> bool {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = last.is_none_or(|last| last.elapsed() >= self.pause);
        if is_due {
            *last = Some(Instant::now());
        }
        is_due
    }
}

fn line(work: Work, elapsed: Duration, task: &str, workers: &[WorkerSpeed]) -> String {
    let Work { units, units_done, .. } = work;
    let left = time_in_words(work.time_left(elapsed));
    let percent = (100.0 * work.share()).floor();
    let (failed, texts) = (work.failed_in_words(), work.texts_in_words());
    let begin = format!("progress: {units_done}/{units} units, {percent} %{failed}, {texts}");
    let speeds =
        speeds_in_short(workers).map(|speeds| add_speeds(workers, elapsed) + &speeds).unwrap_or_default();
    let more = [speeds.as_str(), left.as_str(), task].into_iter().filter(|text| !text.is_empty());
    more.fold(begin, |line, text| format!("{line}, {text}"))
}

/// Texts a second of all workers together, by the time that the run has taken.
fn add_speeds(workers: &[WorkerSpeed], elapsed: Duration) -> String {
    let texts: u64 = workers.iter().map(|worker| worker.texts).sum();
    rate(texts, elapsed).map_or_else(String::new, |rate| format!("{rate:.0} texts/s: "))
}

/// What workers are called: by their devices, or by their numbers where a device has several.
fn worker_names(workers: &[WorkerSpeed]) -> Vec<String> {
    let is_shared = |device: &str| workers.iter().filter(|worker| worker.device == device).count() > 1;
    let name = |(number, worker): (usize, &WorkerSpeed)| {
        if is_shared(&worker.device) { format!("worker {}", number + 1) } else { worker.device.clone() }
    };
    workers.iter().enumerate().map(name).collect()
}

/// Texts a second of each worker while it was busy, of several: `cuda:0 512/s, cuda:1 498/s`.
pub fn speeds_in_short(workers: &[WorkerSpeed]) -> Option<String> {
    let [_, _, ..] = workers else { return None };
    let speed = |(name, worker): (String, &WorkerSpeed)| format!("{name} {}", a_second(worker));
    let all: Vec<String> = worker_names(workers).into_iter().zip(workers).map(speed).collect();
    Some(all.join(", "))
}

/// What several workers have encoded in a whole run.
pub fn workers_line(workers: &[WorkerSpeed]) -> Option<String> {
    let [_, _, ..] = workers else { return None };
    let one =
        |(name, worker): (String, &WorkerSpeed)| format!("{name} {} ({})", worker.texts, a_second(worker));
    let all: Vec<String> = worker_names(workers).into_iter().zip(workers).map(one).collect();
    Some(format!("Texts by worker: {}", all.join(", ")))
}

fn a_second(worker: &WorkerSpeed) -> String {
    worker.texts_per_second().map_or_else(|| "–".to_owned(), |speed| format!("{speed:.0}/s"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_log_has_a_line_every_half_minute_and_a_program_one_a_second() {
        let seconds = |asked, is_log| ProgressLines::choose(asked, is_log).map(|lines| lines.pause.as_secs());
        assert_eq!((seconds(None, true), seconds(None, false)), (Some(30), None));
        assert_eq!((seconds(Some("lines"), false), seconds(Some("5"), true)), (Some(1), Some(5)));
        assert_eq!((seconds(Some("0"), true), seconds(Some("5"), false)), (None, None));
        // The first line of a log comes after its time, that of a program at once.
        let is_due = |asked| ProgressLines::choose(asked, true).is_some_and(|lines| lines.is_due());
        assert_eq!((is_due(None), is_due(Some("lines"))), (false, true));
    }

    /// Half of the texts of two units are there, and nobody has read two more.
    fn work() -> Work {
        Work {
            units: 4,
            units_done: 1,
            units_unread: 2,
            units_counted: 2,
            texts: 100,
            texts_done: 50,
            ..Work::default()
        }
    }

    #[test]
    fn several_workers_say_how_fast_each_is() {
        let work = work();
        let worker = |device: &str, texts| WorkerSpeed {
            device: device.to_owned(),
            texts,
            busy: Duration::from_secs(2),
        };
        let workers = [worker("cuda:0", 30), worker("cuda:1", 20)];
        assert_eq!(
            line(work, Duration::from_secs(2), "STS", &workers),
            "progress: 1/4 units, 25 %, 50 texts, 25 texts/s: cuda:0 15/s, cuda:1 10/s, STS"
        );
    }

    #[test]
    fn a_line_says_what_is_done_and_what_is_left() {
        let work = work();
        assert_eq!(line(work, Duration::ZERO, "STS", &[]), "progress: 1/4 units, 25 %, 50 texts, STS");
        let later = line(work, Duration::from_secs(600), "", &[]);
        assert_eq!(later, "progress: 1/4 units, 25 %, 50 texts, about 30 min left");
        let failed = Work { units_done: 4, units_failed: 2, texts_done: 0, ..work };
        assert_eq!(line(failed, Duration::ZERO, "", &[]), "progress: 4/4 units, 100 %, 2 failed, 0 texts");
        let all = Work { units_unread: 0, units_counted: 4, ..work };
        assert_eq!(line(all, Duration::ZERO, "", &[]), "progress: 1/4 units, 50 %, 50/100 texts");
    }

    fn worker(device: &str, texts: u64) -> WorkerSpeed {
        WorkerSpeed { device: device.to_owned(), texts, busy: Duration::from_secs(u64::from(texts > 0)) }
    }

    #[test]
    fn several_workers_are_told_apart_and_one_is_not_told() {
        assert_eq!((speeds_in_short(&[worker("cpu", 9)]), workers_line(&[])), (None, None));
        let cards = [worker("cuda:0", 512), worker("cuda:1", 0)];
        assert_eq!(speeds_in_short(&cards).as_deref(), Some("cuda:0 512/s, cuda:1 –"));
        let shared = [worker("cpu", 30), worker("cpu", 20)];
        assert_eq!(
            workers_line(&shared).as_deref(),
            Some("Texts by worker: worker 1 30 (30/s), worker 2 20 (20/s)")
        );
    }
}

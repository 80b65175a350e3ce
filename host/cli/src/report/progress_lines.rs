//! Progress in lines on standard error, for a program that shows it in its own way: the Python package in a notebook.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::estimate::{Work, in_words};
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
    pub fn say(&self, work: Work, elapsed: Duration, task: &str) {
        if work.units_done < work.units && !self.is_due() {
            return;
        }
        output::say(line(work, elapsed, task));
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

fn line(work: Work, elapsed: Duration, task: &str) -> String {
    let Work { units, units_done, texts, texts_done, .. } = work;
    let left = in_words(work.time_left(elapsed));
    let begin = format!("progress: {units_done}/{units} units, {texts_done}/{} texts", texts.max(texts_done));
    let more = [left.as_str(), task].into_iter().filter(|text| !text.is_empty());
    more.fold(begin, |line, text| format!("{line}, {text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_is_done_and_what_is_left() {
        let work = Work { units: 4, units_done: 1, units_read: 2, texts: 100, texts_done: 50 };
        assert_eq!(line(work, Duration::ZERO, "STS"), "progress: 1/4 units, 50/100 texts, STS");
        let later = line(work, Duration::from_secs(600), "");
        assert_eq!(later, "progress: 1/4 units, 50/100 texts, about 30 min left");
    }
}

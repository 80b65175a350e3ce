//! How long a run still takes, guessed from what it has done.

use std::time::Duration;

/// Work below which nothing is guessed.
const LEAST: Duration = Duration::from_secs(5);

/// What is known of a run's work so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    /// Units of the run.
    pub units: u64,
    /// Units that are done, whether they were scored now or before.
    pub units_done: u64,
    /// Units whose number of texts is known, as they were read.
    pub units_read: u64,
    /// Texts of those units.
    pub texts: u64,
    /// Texts whose embeddings are there.
    pub texts_done: u64,
}

impl Work {
    /// Time left after `elapsed`, as if the units that nobody has read were like those that were: by texts while they tell
    /// more than units do. `None` while there is too little to go by.
    pub fn time_left(self, elapsed: Duration) -> Option<Duration> {
        if elapsed < LEAST || self.units_done >= self.units {
            return None;
        }
        // More texts than were counted come from a corpus of unknown size.
        let done = if self.units_read > 0 && (1..=self.texts).contains(&self.texts_done) {
            let unread = self.units.saturating_sub(self.units_done.max(self.units_read));
            let all = self.texts as f64 * (1.0 + unread as f64 / self.units_read as f64);
            self.texts_done as f64 / all
        } else {
            self.units_done as f64 / self.units as f64
        };
        let left = (1.0 / done.min(1.0) - 1.0) * elapsed.as_secs_f64();
        Duration::try_from_secs_f64(left).ok()
    }
}

/// A time in words: `about 3 min left`; nothing if it is not known.
pub fn in_words(left: Option<Duration>) -> String {
    let Some(left) = left else { return String::new() };
    let seconds = left.as_secs();
    match seconds {
        0..60 => "less than 1 min left".to_owned(),
        60..5400 => format!("about {} min left", (seconds + 30) / 60),
        5400..172_800 => format!("about {} h left", (seconds + 1800) / 3600),
        _ => format!("about {} days left", (seconds + 43_200) / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn units_that_nobody_has_read_count_as_those_that_were() {
        // Two of eight units were read, with 100 texts; half of them are there: an eighth of the work.
        let work = Work { units: 8, units_done: 0, units_read: 2, texts: 100, texts_done: 50 };
        assert_eq!(work.time_left(MINUTE), Some(7 * MINUTE));
    }

    #[test]
    fn a_run_whose_texts_are_not_counted_goes_by_units() {
        let work = Work { units: 4, units_done: 1, ..Work::default() };
        assert_eq!(work.time_left(MINUTE), Some(3 * MINUTE));
    }

    #[test]
    fn nothing_is_guessed_at_the_begin_or_from_nothing() {
        let work = Work { units: 4, units_done: 1, ..Work::default() };
        assert_eq!(work.time_left(Duration::from_secs(1)), None);
        assert_eq!(Work { units: 4, ..Work::default() }.time_left(MINUTE), None);
        assert_eq!(in_words(None), "");
    }

    #[test]
    fn a_time_is_said_as_coarsely_as_it_is_known() {
        let words = [30, 90, 600, 7200, 400_000].map(|seconds| in_words(Some(Duration::from_secs(seconds))));
        let expected = [
            "less than 1 min left",
            "about 2 min left",
            "about 10 min left",
            "about 2 h left",
            "about 5 days left",
        ];
        assert_eq!(words, expected);
    }
}

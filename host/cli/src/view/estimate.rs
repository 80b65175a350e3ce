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
    /// Those of them that have failed.
    pub units_failed: u64,
    /// Units that somebody has yet to read.
    pub units_unread: u64,
    /// Units whose number of texts is known, as they were read.
    pub units_counted: u64,
    /// Units that were read, and whose number of texts is not known.
    pub units_uncounted: u64,
    /// Texts of the units that are counted.
    pub texts: u64,
    /// Texts whose embeddings are there.
    pub texts_done: u64,
}

impl Work {
    /// Number of texts of the whole run; `None` before all of its units are counted.
    pub fn all_texts(self) -> Option<u64> {
        let is_known = self.units_unread == 0 && self.units_uncounted == 0 && self.texts_done <= self.texts;
        is_known.then_some(self.texts)
    }

    /// The part of the whole run that is done, from 0 to 1, as if the units that nobody has read were like those that were: by texts
    /// where these are counted, else by units.
    pub fn share(self) -> f64 {
        if self.units == 0 {
            return 0.0;
        }
        let by_units = self.units_done as f64 / self.units as f64;
        // More texts than were counted come from a corpus of unknown size.
        let is_counted = self.units_counted > 0 && self.units_uncounted == 0;
        let share = if is_counted && (1..=self.texts).contains(&self.texts_done) {
            let all = self.texts as f64 * (1.0 + self.units_unread as f64 / self.units_counted as f64);
            self.texts_done as f64 / all
        } else {
            by_units
        };
        share.clamp(0.0, 1.0)
    }

    /// Time left after `elapsed`. `None` while there is too little to go by.
    pub fn time_left(self, elapsed: Duration) -> Option<Duration> {
        if elapsed < LEAST || self.units_done >= self.units {
            return None;
        }
        let left = (1.0 / self.share() - 1.0) * elapsed.as_secs_f64();
        Duration::try_from_secs_f64(left).ok()
    }

    /// How many units have failed, as a list goes on: `, 1 failed`; nothing while none has.
    pub fn failed_in_words(self) -> String {
        match self.units_failed {
            0 => String::new(),
            failed => format!(", {failed} failed"),
        }
    }

    /// What is done of the texts: `50/100 texts`, and `50 texts` while nobody knows of how many.
    pub fn texts_in_words(self) -> String {
        match self.all_texts() {
            Some(all) => format!("{}/{all} texts", self.texts_done),
            None => format!("{} texts", self.texts_done),
        }
    }
}

/// Texts in a second; `None` before there is a second to go by.
pub fn rate(texts: u64, elapsed: Duration) -> Option<f64> {
    (elapsed >= Duration::from_secs(1)).then(|| texts as f64 / elapsed.as_secs_f64())
}

/// A time in words: `about 3 min left`; nothing if it is not known.
pub fn time_in_words(left: Option<Duration>) -> String {
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
        let work = Work {
            units: 8,
            units_unread: 6,
            units_counted: 2,
            texts: 100,
            texts_done: 50,
            ..Work::default()
        };
        assert_eq!(work.time_left(MINUTE), Some(7 * MINUTE));
        // The total of the whole run is not that of the units that were read.
        assert_eq!((work.all_texts(), work.texts_in_words()), (None, "50 texts".to_owned()));
        let read = Work { units: 2, units_unread: 0, ..work };
        assert_eq!((read.share(), read.texts_in_words()), (0.5, "50/100 texts".to_owned()));
    }

    #[test]
    fn a_run_whose_texts_are_not_counted_goes_by_units() {
        let work = Work { units: 4, units_done: 1, ..Work::default() };
        assert_eq!(work.time_left(MINUTE), Some(3 * MINUTE));
        // Nor does one go by texts of which some units have an unknown number.
        let pairs = Work { units_uncounted: 1, units_counted: 1, texts: 9, texts_done: 8, ..work };
        assert_eq!((pairs.share(), pairs.all_texts()), (0.25, None));
    }

    #[test]
    fn nothing_is_guessed_at_the_begin_or_from_nothing() {
        let work = Work { units: 4, units_done: 1, ..Work::default() };
        assert_eq!(work.time_left(Duration::from_secs(1)), None);
        assert_eq!(Work { units: 4, ..Work::default() }.time_left(MINUTE), None);
        assert_eq!(time_in_words(None), "");
    }

    #[test]
    fn a_rate_is_said_once_there_is_a_second_to_go_by() {
        assert_eq!(rate(400, Duration::from_micros(10)), None);
        assert_eq!(rate(400, Duration::from_secs(4)), Some(100.0));
    }

    #[test]
    fn a_time_is_said_as_coarsely_as_it_is_known() {
        let words =
            [30, 90, 600, 7200, 400_000].map(|seconds| time_in_words(Some(Duration::from_secs(seconds))));
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

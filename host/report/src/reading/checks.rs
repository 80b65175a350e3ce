//! What of results is checked: all that their writer knows, or nothing.

use mteb_items::outcomes::Items;
use mteb_json::Json;
use mteb_results::identity::{change_between, model_changes};
use mteb_results::reading::{Summary, read_summary, read_summary_unchecked};
use mteb_results::{ResultFault, Violation, check_against_items, check_number};
use serde_json::Value;

/// What is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checks {
    /// All that the host which wrote a file knows of it.
    All,
    /// Nothing: every file counts as it is.
    Nothing,
}

impl Checks {
    /// Reads the text of a result file called `<stem>.json`, of a task whose main score is `main`, where that is known; one that this host
    /// wrote is judged as a whole.
    ///
    /// # Errors
    /// What was expected and what was found.
    pub fn read_summary(self, text: &str, stem: &str, main: Option<&str>) -> Result<Summary, ResultFault> {
        match self {
            Self::All => read_summary(text, stem, main),
            Self::Nothing => read_summary_unchecked(text, stem, main),
        }
    }

    /// Judges a number as the score called `name`.
    ///
    /// # Errors
    /// Why it cannot be right.
    pub fn check_score(self, name: &str, score: f64) -> Result<(), Violation> {
        match self {
            Self::All => check_number(name, score),
            Self::Nothing => Ok(()),
        }
    }

    /// The lowest and the highest value of the measure called `name`; of `main_score` those of all main scores.
    pub fn bounds(self, name: &str) -> (f64, f64) {
        match self {
            Self::All => mteb_results::bounds(name),
            Self::Nothing => (f64::NEG_INFINITY, f64::INFINITY),
        }
    }

    /// Judges a main score by the items of its unit; `options` is what it was made with, as its file says it.
    ///
    /// # Errors
    /// Why it cannot be right.
    pub fn check_items(self, options: &Value, items: &Items, main_score: f64) -> Result<(), ResultFault> {
        match self {
            Self::All => check_against_items(options, items, main_score),
            Self::Nothing => Ok(()),
        }
    }

    /// What of data and options differs between two texts that say what scores of the unit (split, subset) were made from; `None` if
    /// nobody can tell.
    pub fn data_change(self, before: &str, now: &str, unit: (&str, &str)) -> Option<String> {
        match self {
            Self::All => change_between(before, now, unit),
            Self::Nothing => None,
        }
    }

    /// What differs between two states of a model that this host wrote, as JSON; `None` if nothing does that shapes numbers.
    pub fn state_change(self, before: &str, now: &str) -> Option<String> {
        let states = (self == Self::All).then(|| (Json::parse(before), Json::parse(now)));
        let Some((Ok(before), Ok(now))) = states else {
            return (before != now).then(|| "the model".to_owned());
        };
        let (Ok(change) | Err(change)) = model_changes(&before, &now);
        change
    }
}

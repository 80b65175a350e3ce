//! What was done to texts that an endpoint does not take as they are; the results say it. Empty ones the host counts itself.

use std::collections::BTreeMap;

/// Characters of a text that a note shows.
const SHOWN: usize = 40;

/// Counts of texts by what was done to them, each with the begin of the first.
#[derive(Debug, Default)]
pub struct Notes(BTreeMap<&'static str, (usize, String)>);

/// A text whose end was cut.
pub const CUT: &str = "texts were cut, for the endpoint refused them as too long";

impl Notes {
    /// Notes what was done to `text`.
    pub fn add(&mut self, what: &'static str, text: &str) {
        let (count, _) = self.0.entry(what).or_insert_with(|| (0, begin_of(text)));
        *count += 1;
    }

    /// A line for each thing that was done since the last call.
    pub fn take(&mut self) -> Vec<String> {
        let line =
            |(what, (count, first)): (&str, (usize, String))| format!("{count} {what}; the first: {first:?}");
        std::mem::take(&mut self.0).into_iter().map(line).collect()
    }
}

/// The begin of a text, for messages.
pub fn begin_of(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

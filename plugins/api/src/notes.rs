//! What was done to texts that an endpoint does not take as they are; the results say it.

use std::collections::BTreeMap;

/// Characters of a text that a note shows.
const SHOWN: usize = 40;

/// Counts of texts by what was done to them, each with the begin of the first.
#[derive(Debug, Default)]
pub struct Notes(BTreeMap<&'static str, (usize, String)>);

/// An empty text that was sent as one space.
pub const SPACE: &str = "empty texts sent as one space, because the card says so";

/// An empty text that was not sent.
pub const ZEROS: &str = "empty texts replaced by rows of zeros, because the card says so";

/// A text whose end was cut.
pub const CUT: &str = "texts truncated, because the endpoint refused them as too long";

impl Notes {
    /// Notes what was done to `text`.
    pub fn add(&mut self, what: &'static str, text: &str) {
        let (count, _) = self.0.entry(what).or_insert_with(|| (0, begin_of(text)));
        *count += 1;
    }

    /// A line for each thing that was done since the last call.
    pub fn take(&mut self) -> Vec<String> {
        let line = |(what, (count, first)): (&str, (usize, String))| {
            format!("{what}: {count}; the first: {first:?}")
        };
        std::mem::take(&mut self.0).into_iter().map(line).collect()
    }
}

/// The begin of a text, for messages.
pub fn begin_of(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

//! Texts that an endpoint does not take as they are: how one that is too long is truncated, and the
//! notes of that in the results. Empty ones the host counts itself.

use std::collections::BTreeMap;

/// Characters of a text that a note shows.
const SHOWN: usize = 40;

/// Counts of texts by what was done to them, each with the begin of the first.
#[derive(Debug, Default)]
pub struct Notes(BTreeMap<&'static str, (usize, String)>);

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

/// Bytes below which no text is too long for any model.
const SHORT: usize = 200;

/// Words by which endpoints say that a text is too long.
const SAID: [&str; 6] = ["token", "length", "too long", "context", "too large", "maximum"];

/// True if a refusal with this message may be about the length of `text`.
pub fn is_too_long(text: &str, status: u16, message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    text.len() > SHORT && (status == 413 || SAID.iter().any(|word| message.contains(word)))
}

/// The first three quarters of a text.
pub fn shortened(text: &str) -> &str {
    &text[..text.floor_char_boundary(text.len() / 4 * 3)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_text_ends_with_a_whole_character() {
        assert_eq!(shortened("abcd"), "abc");
        assert_eq!(shortened("éééé"), "ééé");
        assert_eq!(shortened("日本"), "日");
    }

    #[test]
    fn only_a_long_text_is_too_long() {
        let long = "x".repeat(1000);
        assert!(is_too_long(&long, 400, "This model's maximum context length is 8192 tokens"));
        assert!(is_too_long(&long, 413, ""));
        assert!(!is_too_long("", 400, "input must have a minimum length of 1"));
        assert!(!is_too_long(&long, 400, "refused by the filter"));
    }
}

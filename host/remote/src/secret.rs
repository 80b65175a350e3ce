//! A key: sent in a header, shown nowhere.

use std::fmt;

/// What stands in messages in place of a key.
const HIDDEN: &str = "[key]";

/// Characters that a word must share with the begin of a key to be taken for a part of it.
const TELLING: usize = 6;

/// A key, which neither a message nor a debug form shows.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The key `text`, without the white space around it that files and copies leave.
    pub fn new(text: &str) -> Self {
        Self(text.trim().to_owned())
    }

    /// True if there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True if a header may hold it.
    pub(crate) fn is_printable(&self) -> bool {
        self.0.bytes().all(|byte| (b' '..=b'~').contains(&byte) || byte >= 0x80)
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// `text` without the key, and without words that begin as the key does: servers repeat a key shortened.
    pub fn removed_from(&self, text: &str) -> String {
        if self.0.is_empty() {
            return text.to_owned();
        }
        let text = text.replace(&self.0, HIDDEN);
        let Some(begin) = self.0.get(..TELLING) else { return text };
        let is_end = |character: char| character.is_whitespace() || "\"'`,;<>(){}".contains(character);
        let mut clean = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while let Some(place) = rest.find(begin) {
            let (before, word) = rest.split_at(place);
            clean.push_str(before);
            clean.push_str(HIDDEN);
            rest = &word[word.find(is_end).unwrap_or(word.len())..];
        }
        clean + rest
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(HIDDEN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_removed_whole_and_shortened() {
        let key = Secret::new(" sk-test-0123456789abcdef\n");
        let said = "Incorrect API key provided: sk-test-*******cdef. (sent: \"sk-test-0123456789abcdef\")";
        assert_eq!(key.removed_from(said), "Incorrect API key provided: [key] (sent: \"[key]\")");
        assert_eq!(format!("{key:?}"), "[key]");
        assert_eq!(Secret::new("").removed_from("all"), "all");
    }
}

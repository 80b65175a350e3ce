//! A key: sent in a header, shown nowhere.

use std::fmt;

use crate::traces::Traces;

/// A key, which neither a message nor a debug form shows.
#[derive(Clone)]
pub struct Secret {
    key: String,
    traces: Traces,
}

impl Secret {
    /// The key `text`, without the white space around it that files and copies leave.
    pub fn new(text: &str) -> Self {
        let key = text.trim().to_owned();
        Self { traces: Traces::of(&key), key }
    }

    /// True if there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.key.is_empty()
    }

    /// True if a header may hold it.
    pub(crate) fn is_printable(&self) -> bool {
        self.key.bytes().all(|byte| (b' '..=b'~').contains(&byte) || byte >= 0x80)
    }

    pub(crate) fn expose(&self) -> &str {
        &self.key
    }

    /// `text` without the key and without parts of it, in whichever case, backwards, spaced out, in pieces, in escapes or codes of
    /// characters, as hexadecimal digits, in base32 or in base64.
    pub fn removed_from(&self, text: &str) -> String {
        self.traces.removed_from(text)
    }
}

impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Secret {}

impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(crate::traces::HIDDEN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_not_shown_by_its_debug_form() {
        assert_eq!(format!("{:?}", Secret::new(" sk-test-0123456789abcdef\n")), "[key]");
        assert_eq!(Secret::new("").removed_from("all"), "all");
    }
}

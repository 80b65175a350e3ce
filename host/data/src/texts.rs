//! Many strings in one allocation.

use std::ops::Range;

/// A list of strings stored back to back: one buffer and one offset a string.
///
/// A corpus of a million documents is two allocations instead of a million.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    bytes: String,
    ends: Vec<usize>,
}

impl Texts {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one string at the end.
    pub fn push(&mut self, text: &str) {
        self.bytes.push_str(text);
        self.ends.push(self.bytes.len());
    }

    /// Number of strings.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there is no string.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The string at `index`, or `None` beyond the end.
    pub fn get(&self, index: usize) -> Option<&str> {
        let end = *self.ends.get(index)?;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        Some(&self.bytes[start..end])
    }

    /// All strings in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.range(0..self.len())
    }

    /// The strings of `rows` in order; `rows` must lie within `0..len()`.
    pub fn range(&self, rows: Range<usize>) -> impl ExactSizeIterator<Item = &str> + Clone {
        rows.map(|row| &self[row])
    }

    /// A new list of the strings at `rows`, in that order.
    pub fn select(&self, rows: &[usize]) -> Self {
        rows.iter().map(|&row| &self[row]).collect()
    }

    /// Total length in bytes of all strings.
    pub fn byte_len(&self) -> usize {
        self.bytes.len()
    }
}

impl std::ops::Index<usize> for Texts {
    type Output = str;

    fn index(&self, index: usize) -> &str {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.bytes[start..self.ends[index]]
    }
}

impl<S: AsRef<str>> FromIterator<S> for Texts {
    fn from_iter<I: IntoIterator<Item = S>>(strings: I) -> Self {
        let mut texts = Self::new();
        for string in strings {
            texts.push(string.as_ref());
        }
        texts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_come_back_in_order() {
        let texts: Texts = ["satu", "", "tiga"].into_iter().collect();
        assert_eq!(texts.iter().collect::<Vec<_>>(), ["satu", "", "tiga"]);
        assert_eq!(texts.range(1..3).collect::<Vec<_>>(), ["", "tiga"]);
        assert_eq!(texts.get(3), None);
    }
}

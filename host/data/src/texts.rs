//! Many strings in one allocation, or in one mapped file.

use std::ops::Range;

use crate::mapped::MappedTexts;

/// A list of strings stored back to back: one buffer and one offset a string.
///
/// A corpus of a million documents is two allocations instead of a million; one that was parsed before lies in a
/// mapped file, and is copied when it is changed.
#[derive(Clone, Debug)]
pub struct Texts(Strings);

#[derive(Clone, Debug)]
enum Strings {
    Owned(Owned),
    Mapped(MappedTexts),
}

#[derive(Clone, Debug, Default)]
struct Owned {
    bytes: String,
    ends: Vec<usize>,
}

impl Texts {
    /// An empty list.
    pub fn new() -> Self {
        Self::with_capacity(0, 0)
    }

    /// An empty list with room for `strings` strings of together `bytes` bytes.
    pub fn with_capacity(strings: usize, bytes: usize) -> Self {
        let (bytes, ends) = (String::with_capacity(bytes), Vec::with_capacity(strings));
        Self(Strings::Owned(Owned { bytes, ends }))
    }

    /// The strings that lie back to back in `bytes`, each ending at one of the ascending `ends`.
    ///
    /// # Errors
    /// The index of the first string that is not UTF-8.
    pub(crate) fn from_bytes(bytes: Vec<u8>, ends: Vec<usize>) -> Result<Self, usize> {
        // One validation of the whole, as fast as memory; the strings are valid if no character crosses an end.
        match String::from_utf8(bytes) {
            Ok(bytes) => match ends.iter().position(|&end| !bytes.is_char_boundary(end)) {
                None => Ok(Self(Strings::Owned(Owned { bytes, ends }))),
                Some(index) => Err(index),
            },
            Err(error) => {
                let start = error.utf8_error().valid_up_to();
                let crossing = ends.iter().position(|&end| end > start);
                Err(crossing.unwrap_or_default())
            }
        }
    }

    /// Adds one string at the end.
    pub fn push(&mut self, text: &str) {
        let Owned { bytes, ends } = self.owned();
        bytes.push_str(text);
        ends.push(bytes.len());
    }

    /// Adds all strings of `other` at the end.
    pub fn append(&mut self, other: &Self) {
        let Owned { bytes, ends } = self.owned();
        let start = bytes.len();
        bytes.push_str(other.bytes());
        ends.extend(other.ends().map(|end| start + end));
    }

    /// Number of strings.
    pub fn len(&self) -> usize {
        match &self.0 {
            Strings::Owned(texts) => texts.ends.len(),
            Strings::Mapped(texts) => texts.len(),
        }
    }

    /// True if there is no string.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The string at `index`, or `None` beyond the end.
    pub fn get(&self, index: usize) -> Option<&str> {
        (index < self.len()).then(|| &self[index])
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
        let bytes = rows.iter().map(|&row| self[row].len()).sum();
        let mut selected = Self::with_capacity(rows.len(), bytes);
        rows.iter().for_each(|&row| selected.push(&self[row]));
        selected
    }

    /// Total length in bytes of all strings.
    pub fn byte_len(&self) -> usize {
        self.bytes().len()
    }

    /// All strings back to back.
    pub(crate) fn bytes(&self) -> &str {
        match &self.0 {
            Strings::Owned(texts) => &texts.bytes,
            Strings::Mapped(texts) => texts.bytes(),
        }
    }

    /// Where each string ends in [`Self::bytes`].
    pub(crate) fn ends(&self) -> impl ExactSizeIterator<Item = usize> {
        (0..self.len()).map(|index| self.end(index))
    }

    fn end(&self, index: usize) -> usize {
        match &self.0 {
            Strings::Owned(texts) => texts.ends[index],
            Strings::Mapped(texts) => texts.end(index),
        }
    }

    /// The strings in memory of their own, to be changed.
    fn owned(&mut self) -> &mut Owned {
        if let Strings::Mapped(texts) = &self.0 {
            let ends = (0..texts.len()).map(|index| texts.end(index)).collect();
            self.0 = Strings::Owned(Owned { bytes: texts.bytes().to_owned(), ends });
        }
        match &mut self.0 {
            Strings::Owned(texts) => texts,
            Strings::Mapped(_) => unreachable!("the strings were copied above"),
        }
    }
}

impl From<MappedTexts> for Texts {
    fn from(texts: MappedTexts) -> Self {
        Self(Strings::Mapped(texts))
    }
}

impl Default for Texts {
    fn default() -> Self {
        Self::new()
    }
}

impl PartialEq for Texts {
    fn eq(&self, other: &Self) -> bool {
        self.bytes() == other.bytes() && self.ends().eq(other.ends())
    }
}

impl Eq for Texts {}

impl std::ops::Index<usize> for Texts {
    type Output = str;

    fn index(&self, index: usize) -> &str {
        let start = if index == 0 { 0 } else { self.end(index - 1) };
        &self.bytes()[start..self.end(index)]
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

    #[test]
    fn lists_join() {
        let mut texts: Texts = ["satu"].into_iter().collect();
        texts.append(&["dua", ""].into_iter().collect());
        assert_eq!(texts.iter().collect::<Vec<_>>(), ["satu", "dua", ""]);
        assert_eq!(texts.select(&[2, 0]).iter().collect::<Vec<_>>(), ["", "satu"]);
    }

    #[test]
    fn the_first_string_that_is_not_utf8_is_found() {
        let strings = |bytes: &[u8], ends: &[usize]| Texts::from_bytes(bytes.to_vec(), ends.to_vec());
        assert_eq!(strings("aé".as_bytes(), &[1, 3]).map(|texts| texts.len()), Ok(2));
        assert_eq!(strings(b"ab\xff", &[0, 2, 3]), Err(2));
        // Valid as a whole, but the second string ends within a character.
        assert_eq!(strings("aéb".as_bytes(), &[1, 2, 4]), Err(1));
        assert_eq!(strings(b"a\xc3", &[1, 2]), Err(1));
    }
}

//! The words of a text, as numbers that two texts share.

use std::collections::HashMap;

/// Words of one text in their order; equal words of texts that were read with one [`Words::all`] have equal numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(Vec<u32>);

impl Words {
    /// The words of each of `texts`.
    pub fn all<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<Self> {
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let mut words_of = |text: &str| {
            let lower = text.to_lowercase();
            let words = lower.split(|letter: char| !(letter.is_ascii_lowercase() || letter.is_ascii_digit()));
            let number = |word: &str| {
                let next = numbers.len() as u32;
                *numbers.entry(word.to_owned()).or_insert(next)
            };
            Self(words.filter(|word| !word.is_empty()).map(number).collect())
        };
        texts.into_iter().map(&mut words_of).collect()
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there is no word.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The numbers of the words.
    pub(super) fn numbers(&self) -> &[u32] {
        &self.0
    }
}

//! The terms of an index: stems by number.

use std::collections::{HashMap, HashSet};

use crate::Language;
use crate::language::Units;
use crate::stemmer::Stems;
use crate::words::units;

/// From texts to the numbers of their terms.
pub(crate) struct Terms {
    cut: Units,
    /// Words that are left out before they are stemmed.
    stop_words: HashSet<Box<str>>,
    stems: Stems,
    numbers: HashMap<Box<str>, u32>,
}

impl Terms {
    pub fn new(language: Language) -> Self {
        let listed = language.stop_words.unwrap_or_default();
        Self {
            cut: language.units,
            stop_words: listed.split_whitespace().map(Box::from).collect(),
            stems: Stems::new(language.stemmer),
            numbers: HashMap::new(),
        }
    }

    /// Calls `take` with each word of `text` that is not left out.
    pub fn words(&self, text: &str, mut take: impl FnMut(&str)) {
        units(text, self.cut, |word| {
            if !self.stop_words.contains(word) {
                take(word);
            }
        });
    }

    /// The number of the term of `word`; one that has none gets the next.
    pub fn number(&mut self, word: &str) -> u32 {
        let Self { stems, numbers, .. } = self;
        stems.stem(word, |stem| match numbers.get(stem) {
            Some(&number) => number,
            None => {
                let number = numbers.len() as u32;
                numbers.insert(stem.into(), number);
                number
            }
        })
    }

    /// The number of the term of `word`, if a document has it.
    pub fn find(&self, word: &str) -> Option<u32> {
        self.stems.stem(word, |stem| self.numbers.get(stem).copied())
    }

    /// From here on words that **are** one of these terms are left out too, whatever their own stem: as the reference
    /// leaves them out of queries.
    pub fn leave_out(&mut self, terms: &[u32]) {
        let wanted: HashSet<u32> = terms.iter().copied().collect();
        let left = self.numbers.iter().filter(|(_, number)| wanted.contains(number));
        self.stop_words.extend(left.map(|(stem, _)| stem.clone()));
    }
}

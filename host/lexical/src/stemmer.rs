//! Stems, each word's found once.

use std::collections::HashMap;

use snowball_stemmers_rs::{Algorithm, Stemmer};

/// A stemmer of Snowball 3, or none.
pub(crate) struct Stems(Option<Stemmer>);

impl Stems {
    pub fn new(algorithm: Option<Algorithm>) -> Self {
        Self(algorithm.map(Stemmer::create))
    }

    /// Calls `take` with the stem of `word`; without a stemmer that is the word.
    pub fn stem<R>(&self, word: &str, take: impl FnOnce(&str) -> R) -> R {
        match &self.0 {
            Some(stemmer) => take(&stemmer.stem(word)),
            None => take(word),
        }
    }
}

/// Numbers of words, kept so that a word is stemmed once.
#[derive(Default)]
pub(crate) struct Known(HashMap<Box<str>, Option<u32>>);

impl Known {
    /// What `find` says of `word`, asked once.
    pub fn get(&mut self, word: &str, find: impl FnOnce(&str) -> Option<u32>) -> Option<u32> {
        if let Some(found) = self.0.get(word) {
            return *found;
        }
        let found = find(word);
        self.0.insert(word.into(), found);
        found
    }
}

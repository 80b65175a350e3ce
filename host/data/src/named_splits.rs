//! Splits and the globs of the files of each, as they are found by names. A dataset may have a million files, each with a name of
//! its own, so whether a split or a file is known is never looked for one by one.

use std::collections::{HashMap, HashSet};

/// Splits and the globs of the files of each.
pub type Splits = Vec<(String, Vec<String>)>;

/// Splits in the order in which they were found.
#[derive(Debug, Default)]
pub struct NamedSplits {
    splits: Splits,
    /// Where each split stands.
    places: HashMap<String, usize>,
    /// Place of a split, and a glob that it has.
    known: HashSet<(usize, String)>,
}

impl NamedSplits {
    /// Puts `file` into `split`, once.
    pub fn add(&mut self, split: &str, file: &str) {
        let place = match self.places.get(split) {
            Some(place) => *place,
            None => {
                self.places.insert(split.to_owned(), self.splits.len());
                self.splits.push((split.to_owned(), Vec::new()));
                self.splits.len() - 1
            }
        };
        let glob = globset::escape(file);
        if self.known.insert((place, glob.clone())) {
            self.splits[place].1.push(glob);
        }
    }

    /// True if there is no split.
    pub fn is_empty(&self) -> bool {
        self.splits.is_empty()
    }

    /// True if there is a split called `split`.
    pub fn has(&self, split: &str) -> bool {
        self.places.contains_key(split)
    }

    /// Where the split called `split` stands, if there is one.
    pub fn place(&self, split: &str) -> Option<usize> {
        self.places.get(split).copied()
    }

    /// The name of the split at `place`.
    pub fn name(&self, place: usize) -> &str {
        &self.splits[place].0
    }

    /// True if the split at `place` has `file`.
    pub fn holds(&self, place: usize, file: &str) -> bool {
        self.known.contains(&(place, globset::escape(file)))
    }

    /// The splits and the globs of each.
    pub fn as_slice(&self) -> &[(String, Vec<String>)] {
        &self.splits
    }

    /// The same.
    pub fn into_splits(self) -> Splits {
        self.splits
    }
}

impl From<Splits> for NamedSplits {
    fn from(splits: Splits) -> Self {
        let places = splits.iter().enumerate().map(|(place, (split, _))| (split.clone(), place)).collect();
        let globs = |(place, (_, globs)): (usize, &(String, Vec<String>))| {
            globs.iter().map(move |glob| (place, glob.clone())).collect::<Vec<_>>()
        };
        let known = splits.iter().enumerate().flat_map(globs).collect();
        Self { splits, places, known }
    }
}

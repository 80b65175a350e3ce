//! Where rows begin and end that are of unequal length.

use std::ops::Range;

/// The ends of rows that lie one behind the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ragged {
    ends: Vec<usize>,
}

impl Ragged {
    /// Adds a row of `length`.
    pub fn push(&mut self, length: usize) {
        self.ends.push(self.end() + length);
    }

    /// Adds the rows of `other`.
    pub fn append(&mut self, other: &Self) {
        let begin = self.end();
        self.ends.extend(other.ends.iter().map(|end| begin + end));
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The place of row `index`.
    pub fn range(&self, index: usize) -> Range<usize> {
        let begin = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        begin..self.ends[index]
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        size_of::<usize>() * self.ends.len()
    }

    /// Where the last row ends.
    pub fn end(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }
}

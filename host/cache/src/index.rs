//! Where each row is: in which segment, and in which place there.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::key::{KEY_BYTES, Key};

/// Most rows that are looked up. At 25 bytes a slot the table then takes 420 MB, as 2²⁴ slots hold 7/8 as many rows.
pub const MOST_ROWS: usize = 14 << 20;

/// RowPlace of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowPlace {
    /// Number of the segment.
    pub segment: u32,
    /// Number of the row in the segment.
    pub row: u32,
}

/// From keys to places.
#[derive(Debug, Default)]
pub struct Index(HashMap<Key, RowPlace, BuildHasherDefault<FirstBytes>>);

impl Index {
    /// The place of a row, if there is one.
    pub fn get(&self, key: &Key) -> Option<RowPlace> {
        self.0.get(key).copied()
    }

    /// True if no more rows fit.
    pub fn is_full(&self) -> bool {
        self.0.len() >= MOST_ROWS
    }

    /// Makes room for so many rows at once, as growing step by step takes half as much memory again.
    pub fn expect(&mut self, rows: usize) {
        self.0.reserve(rows.min(MOST_ROWS.saturating_sub(self.0.len())));
    }

    /// Notes the rows of a segment; a key that is there already has its place there from now on.
    pub fn add(&mut self, segment: u32, keys: Vec<Key>) {
        for (row, key) in keys.into_iter().enumerate() {
            self.set(key, RowPlace { segment, row: row as u32 });
        }
    }

    /// Notes one row.
    pub fn set(&mut self, key: Key, place: RowPlace) {
        if !self.is_full() || self.0.contains_key(&key) {
            self.0.insert(key, place);
        }
    }

    /// Forgets the rows of a segment.
    pub fn forget(&mut self, segment: u32) {
        self.0.retain(|_, place| place.segment != segment);
    }
}

/// A key is a hash already: its first bytes are as good as any other hash of it.
#[derive(Debug, Default)]
struct FirstBytes(u64);

impl Hasher for FirstBytes {
    fn write(&mut self, bytes: &[u8]) {
        if bytes.len() == KEY_BYTES {
            self.0 = bytes.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte));
        }
    }

    /// The length of an array comes before its bytes, and is the same for all.
    fn write_usize(&mut self, _: usize) {}

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_where_it_was_put_last() {
        let [first, second] = [Key([1; KEY_BYTES]), Key([2; KEY_BYTES])];
        let mut index = Index::default();
        index.add(0, vec![first, second]);
        index.add(1, vec![second]);
        assert_eq!(index.get(&first), Some(RowPlace { segment: 0, row: 0 }));
        assert_eq!(index.get(&second), Some(RowPlace { segment: 1, row: 0 }));
        index.forget(1);
        assert_eq!(index.get(&second), None);
        assert_eq!(index.get(&Key([3; KEY_BYTES])), None);
    }
}

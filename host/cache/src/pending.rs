//! Rows that are not on the disk yet.

use std::time::{Duration, Instant};

use super::key::Key;
use super::row::Row;

/// Bytes after which rows are written out.
const MOST_BYTES: usize = 64 << 20;

/// Time after which rows are written out: what a killed run may have to encode again.
const LONGEST: Duration = Duration::from_secs(60);

/// Rows with their keys, in the order in which they were encoded.
#[derive(Debug, Default)]
pub struct Pending {
    /// Key of each row.
    pub keys: Vec<Key>,
    /// The rows as they stand in a segment.
    pub bytes: Vec<u8>,
    since: Option<Instant>,
}

impl Pending {
    /// Takes a row; gives its number.
    pub fn push(&mut self, key: Key, row: &[f32]) -> usize {
        self.since.get_or_insert_with(Instant::now);
        self.keys.push(key);
        Row::append(row, &mut self.bytes);
        self.keys.len() - 1
    }

    /// A row.
    pub fn row(&self, row: usize, dimension: usize) -> Row<'_> {
        let size = dimension * size_of::<f32>();
        Row(&self.bytes[row * size..(row + 1) * size])
    }

    /// True if it is time to write; segments of a small cache are small, so that eviction has something to choose from.
    pub fn is_due(&self, limit: u64) -> bool {
        let most = usize::try_from(limit / 8).unwrap_or(usize::MAX).min(MOST_BYTES);
        self.bytes.len() >= most || self.since.is_some_and(|since| since.elapsed() >= LONGEST)
    }
}

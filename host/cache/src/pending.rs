//! Rows that are not on the disk: those that wait for writing, and those of a run that keeps
//! nothing.

use std::time::{Duration, Instant};

use crate::key::{Key, Row};
use crate::segment::RequestedRow;

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

/// Rows that were encoded one after the other.
#[derive(Debug)]
pub struct MemoryRows {
    bytes: Vec<u8>,
    dimension: usize,
}

impl MemoryRows {
    /// Rows as they stand in `bytes`, of `dimension` numbers each.
    pub fn new(bytes: Vec<u8>, dimension: usize) -> Self {
        Self { bytes, dimension }
    }

    /// Copies rows to their places in `out`.
    pub fn read(&self, wanted: &[RequestedRow], out: &mut [f32]) {
        let size = self.dimension * size_of::<f32>();
        for RequestedRow { row, number } in wanted {
            let row = Row(&self.bytes[row * size..(row + 1) * size]);
            row.read_into(&mut out[number * self.dimension..(number + 1) * self.dimension]);
        }
    }

    /// Bytes that they take.
    pub fn bytes(&self) -> u64 {
        self.bytes.len() as u64
    }
}

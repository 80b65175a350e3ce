//! Rows that are kept in memory alone, for a run that keeps nothing on the disk.

use super::row::Row;
use super::segment::RequestedRow;

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

//! One segment file, open for reading block by block.

use std::fs::File;
use std::io::BufReader;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use mteb_base::calendar;
use rayon::prelude::*;

use super::key::Key;
use super::segment_head::{Checksum, SegmentError, SegmentHead, checksum, damaged};
use crate::key::Row;

/// Ending of segment files.
pub const ENDING: &str = "rows";

/// Blocks that are read at once.
const BLOCKS_AT_ONCE: usize = 64;

/// A row that is asked for.
#[derive(Clone, Copy, Debug)]
pub struct RequestedRow {
    /// Its number in the segment.
    pub row: usize,
    /// Its number among the rows that are asked for.
    pub number: usize,
}

/// A segment whose head was read and checked. Its file is opened for each reading, so that a cache of many segments
/// holds no file open.
#[derive(Clone, Debug)]
pub struct Segment {
    path: PathBuf,
    dimension: usize,
    rows: usize,
    rows_per_block: usize,
    rows_offset: u64,
    checksums: Vec<Checksum>,
    used: bool,
}

impl Segment {
    /// Reads the head of the file at `path`; gives the segment and the keys of its rows.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or is of another model than that of `identity`.
    pub fn open(
        path: &Path,
        identity: &[u8; 32],
        dimension: usize,
    ) -> Result<(Self, Vec<Key>), SegmentError> {
        let file = mteb_files::open(path)?;
        let length = file.metadata()?.len();
        let head = SegmentHead::read(&mut BufReader::with_capacity(1 << 16, file), length)?;
        if head.identity != *identity || head.dimension != dimension {
            return Err(damaged("rows of this model".to_owned(), "rows of another one"));
        }
        Ok(Self::new(path.to_owned(), head))
    }

    /// The segment at `path` with this head, and the keys of its rows.
    pub fn new(path: PathBuf, head: SegmentHead) -> (Self, Vec<Key>) {
        let rows_offset = head.rows_offset();
        let SegmentHead { dimension, rows_per_block, keys, checksums, .. } = head;
        let rows = keys.len();
        (Self { path, dimension, rows, rows_per_block, rows_offset, checksums, used: false }, keys)
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Copies rows, which come in the segment's order, to their places in `out`; `done` counts those that were copied.
    ///
    /// # Errors
    /// If the file cannot be read, or a block is not as it was written.
    pub fn read(
        &mut self,
        wanted: &[RequestedRow],
        out: &mut [f32],
        done: &mut usize,
    ) -> Result<(), SegmentError> {
        let file = self.file()?;
        let block_of = |wanted: &RequestedRow| wanted.row / self.rows_per_block;
        let groups: Vec<&[RequestedRow]> =
            wanted.chunk_by(|left, right| block_of(left) == block_of(right)).collect();
        let (dimension, row_bytes) = (self.dimension, self.row_bytes());
        for groups in groups.chunks(BLOCKS_AT_ONCE) {
            let blocks: Vec<_> =
                groups.par_iter().map(|group| self.block(&file, block_of(&group[0]))).collect();
            for (group, block) in groups.iter().zip(blocks) {
                let block = block?;
                for RequestedRow { row, number } in *group {
                    let begin = row % self.rows_per_block * row_bytes;
                    let row = Row(&block[begin..begin + row_bytes]);
                    row.read_into(&mut out[number * dimension..(number + 1) * dimension]);
                }
                *done += group.len();
            }
        }
        Ok(())
    }

    /// Reads every block; gives the number of rows.
    ///
    /// # Errors
    /// If the file cannot be read, or a block is not as it was written.
    pub fn check(&self, file: &File) -> Result<usize, SegmentError> {
        (0..self.checksums.len()).try_for_each(|block| self.block(file, block).map(drop))?;
        Ok(self.rows)
    }

    /// Opens the file to read blocks; the first time, notes on it that it is in use.
    fn file(&mut self) -> Result<File, SegmentError> {
        let file = mteb_files::open(&self.path)?;
        if !self.used {
            // The time of change is what eviction goes by. In a folder of somebody else it stays as it is.
            let _ = file.set_modified(calendar::now());
            self.used = true;
        }
        Ok(file)
    }

    fn row_bytes(&self) -> usize {
        self.dimension * size_of::<f32>()
    }

    /// The bytes of one block, checked.
    fn block(&self, file: &File, block: usize) -> Result<Vec<u8>, SegmentError> {
        let row_bytes = self.row_bytes();
        let rows = self.rows_per_block.min(self.rows - block * self.rows_per_block);
        let size = rows.saturating_mul(row_bytes);
        mteb_files::check_room::<u8>(size)?;
        let mut bytes = vec![0; size];
        let begin = self.rows_offset + (block * self.rows_per_block * row_bytes) as u64;
        file.read_exact_at(&mut bytes, begin)?;
        if checksum(&bytes) == self.checksums[block] {
            Ok(bytes)
        } else {
            Err(damaged(format!("the checksum of block {block}"), "another one"))
        }
    }
}

//! What reading a column of a Parquet file needs and comes to: the file's bytes by position, so
//! that threads that read columns of one file do not move each other, and the cells that were read.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

use crate::Column;

/// Bytes asked of the system at a time where a length is not known: page headers are small.
const BUFFER: usize = 1 << 13;

/// An open file. The library's own way to read one shares a single position among all its readers.
#[derive(Clone, Debug)]
pub struct FileBytes {
    file: Arc<File>,
    length: u64,
}

impl FileBytes {
    /// The bytes of `file`.
    ///
    /// # Errors
    /// If the system does not tell the file's length.
    pub fn new(file: File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self { file: Arc::new(file), length })
    }
}

impl Length for FileBytes {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for FileBytes {
    type T = BufReader<FromPosition>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        let reader = FromPosition { file: Arc::clone(&self.file), position: start };
        Ok(BufReader::with_capacity(BUFFER, reader))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        if start.saturating_add(length as u64) > self.length {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        let mut bytes = vec![0; length];
        self.file.read_exact_at(&mut bytes, start)?;
        Ok(bytes.into())
    }
}

/// Reads from a position of its own.
pub struct FromPosition {
    file: Arc<File>,
    position: u64,
}

impl Read for FromPosition {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read_at(buffer, self.position)?;
        self.position += count as u64;
        Ok(count)
    }
}

/// What was read of a column.
pub enum Cells {
    /// Its next cells.
    Read(Column),
    /// Nothing, because the column holds something that is not read.
    Unreadable(NotRead),
}

/// What a column holds that is not read, in words, as `dates`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotRead(pub String);

impl NotRead {
    /// In these words.
    pub fn holds(what: &str) -> Self {
        Self(what.to_owned())
    }
}

/// What is wrong with a column.
#[derive(Debug)]
pub enum CellsFault {
    /// The file is damaged.
    Damaged(ParquetError),
    /// The cell so many rows behind the ones before is text that is no UTF-8.
    NotUtf8(usize),
}

impl From<ParquetError> for CellsFault {
    fn from(error: ParquetError) -> Self {
        Self::Damaged(error)
    }
}

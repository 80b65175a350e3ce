//! What reading a column of a Parquet file comes to.

use parquet::errors::ParquetError;

use crate::Column;

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

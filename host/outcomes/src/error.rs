//! What can be wrong with a file of outcomes, or with a table that should be one.

use parquet::errors::ParquetError;

/// Outcomes that cannot be written, read or used.
#[derive(Debug, thiserror::Error)]
pub enum OutcomesError {
    /// The file cannot be opened or read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The file is no Parquet file, or damaged.
    #[error("expected a Parquet file of outcomes, found it damaged or truncated: {0}")]
    Damaged(String),
    /// A table lacks a column.
    #[error("expected a column `{column}` of {kind}, found: {found}")]
    NoColumn {
        /// Its name.
        column: String,
        /// What its cells should be.
        kind: &'static str,
        /// The columns that there are.
        found: String,
    },
    /// The cells could not be packed.
    #[error("cannot be packed as Parquet: {0}")]
    Packing(ParquetError),
}

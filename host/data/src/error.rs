//! What can be wrong with data, said with its file, row and column.

use std::path::PathBuf;

use crate::CellFault;

/// A fault in a dataset: what was expected, what was found, where, and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// A file or folder could not be read.
    #[error("cannot read {path}: {source}", path = .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A cell holds something else than the column must hold.
    #[error("{0}")]
    Cell(Box<CellFault>),
    /// A column that is needed is absent.
    #[error("{file}: no column `{column}`; its columns are {present}{advice}")]
    MissingColumn {
        /// File or part.
        file: String,
        /// The column that was asked for.
        column: String,
        /// The columns there are.
        present: String,
        /// What to do, behind a semicolon; empty if nothing is known.
        advice: String,
    },
    /// A config, split or file that is needed is absent.
    #[error("{place}: no {what} `{name}`; there is {present}")]
    Missing {
        /// Dataset folder or file.
        place: String,
        /// Kind of thing: config, split, file.
        what: &'static str,
        /// Its name.
        name: String,
        /// What is there instead.
        present: String,
    },
    /// The bytes are not what the format says.
    #[error("{place}: {message}")]
    Malformed {
        /// File, with line or row where known.
        place: String,
        /// What was expected and what was found.
        message: String,
    },
}

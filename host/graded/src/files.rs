//! Files of graded relevance: read as they come from users, written atomically, and why one cannot be
//! had.

use std::io;
use std::path::Path;

/// A file that cannot be read or written, or something that is not what it must be.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GradedError {
    /// A file cannot be read or written.
    #[error("{file}: cannot {what} it: {error}")]
    File {
        /// The file.
        file: String,
        /// What was to be done.
        what: &'static str,
        /// What the system says.
        #[source]
        error: io::Error,
    },
    /// Something is not what it must be.
    #[error("{place}: expected {expected}, found: {found}")]
    Fault {
        /// File, and line where there is one.
        place: String,
        /// What was expected.
        expected: String,
        /// What was found.
        found: String,
    },
}

impl GradedError {
    pub(crate) fn file(file: &Path, what: &'static str, error: io::Error) -> Self {
        Self::File { file: file.display().to_string(), what, error }
    }

    pub(crate) fn fault(place: impl ToString, expected: impl Into<String>, found: impl ToString) -> Self {
        Self::Fault { place: place.to_string(), expected: expected.into(), found: found.to_string() }
    }
}

/// The text of the file at `path`, which may have `limit` bytes.
///
/// # Errors
/// If it cannot be read, is larger, or is no UTF-8.
pub fn read_text(path: &Path, limit: u64) -> Result<String, GradedError> {
    mteb_files::read_to_string(path, limit).map_err(|error| GradedError::file(path, "read", error))
}

/// SHA-256 of the file at `path`, as hexadecimal digits.
///
/// # Errors
/// If it cannot be read.
pub fn sha256_of_file(path: &Path) -> Result<String, GradedError> {
    let hashed = mteb_files::open(path).and_then(mteb_files::sha256);
    hashed.map_err(|error| GradedError::file(path, "read", error))
}

/// Writes `bytes` to `path`, as [`mteb_files::write`], but replaces no link.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), GradedError> {
    let written = mteb_files::check_place(path).and_then(|()| mteb_files::write(path, bytes));
    written.map_err(|error| GradedError::file(path, "write", error))
}

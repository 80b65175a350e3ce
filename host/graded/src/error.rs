//! Why something graded cannot be had.

use std::io;
use std::path::Path;

/// A file that cannot be read or written, or something that is not what it must be.
#[derive(Debug, thiserror::Error)]
pub enum GradedError {
    /// A file cannot be read or written.
    #[error("{file}: cannot {what} it: {error}")]
    File {
        /// The file.
        file: String,
        /// What was to be done.
        what: &'static str,
        /// What the system says.
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

//! Why rankings cannot be read.

use std::io;

/// Rankings that cannot be read, or cannot be right.
#[derive(Debug, thiserror::Error)]
pub enum RankingsError {
    /// The file cannot be read.
    #[error("{file}: cannot read it: {error}")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system says.
        error: io::Error,
    },
    /// Something in the file is not what it must be.
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

//! What can be wrong with the file of a plan or of a shard.

use std::path::PathBuf;

/// Why the file of a plan or of a shard cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// It cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// It is no such file.
    #[error("{}: expected {expected}, found {found}", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// What it should be.
        expected: &'static str,
        /// What is wrong with it.
        found: String,
    },
}

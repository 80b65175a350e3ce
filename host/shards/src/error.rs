//! What can be wrong with the file of a plan or of a shard, and with the mirror of a shard's folder.

use std::io;
use std::path::PathBuf;

use crate::objects::StoreError;

/// Why the file of a plan or of a shard cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// It cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        error: io::Error,
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

/// Why what a shard leaves is not fetched or sent.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MirrorError {
    /// The store does not answer, or refuses.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A shard of another plan has left something there.
    #[error(
        "expected what a shard of this plan has left, found that of another plan; name another place, or remove what is there"
    )]
    OtherPlan,
    /// A file or folder here cannot be read, or what was fetched cannot be written.
    #[error("{}: {source}", .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file that is better there than here cannot be written.
    #[error("{}: cannot write it: {source}", .path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Others change an object again and again.
    #[error("{object}: other writers have changed it {tries} times in the meantime")]
    Contended {
        /// Its name.
        object: String,
        /// How often it was tried.
        tries: usize,
    },
}

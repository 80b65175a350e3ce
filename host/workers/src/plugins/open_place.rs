//! What others can change, and so is not trusted.

use std::io;
use std::path::PathBuf;

/// A place that others can change, or of which nobody can tell who can; the message fits behind "found that".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenPlace {
    /// It is another user's.
    #[error("{} belongs to another user (number {owner})", .path.display())]
    OtherOwner {
        /// File, folder or link.
        path: PathBuf,
        /// Number of its owner.
        owner: u32,
    },
    /// All users may write to it.
    #[error("everyone may write to {}", .0.display())]
    Everyone(PathBuf),
    /// All users of a group may write to it.
    #[error("a group (number {group}) may write to {}", .path.display())]
    Group {
        /// File or folder.
        path: PathBuf,
        /// Number of the group.
        group: u32,
    },
    /// Its permissions cannot be read.
    #[error("the permissions of {} cannot be read: {source}", .path.display())]
    Unknown {
        /// The place.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl OpenPlace {
    /// What the system said when it was asked for the permissions of `path`.
    pub(super) fn unknown(path: impl Into<PathBuf>) -> impl Fn(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Unknown { path: path.clone(), source }
    }
}

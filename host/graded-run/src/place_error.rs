//! Why nothing is written to a place of the graded folder.

use std::io;
use std::path::PathBuf;

/// Something that somebody else has put where a generated file is to be.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlaceError {
    /// A folder on the way is a link.
    #[error("{}: expected a folder, found a link; move it away", .0.display())]
    Link(PathBuf),
    /// Something else is there.
    #[error("{}: expected {expected}, or nothing, found {found}; move it away", .path.display())]
    Other {
        /// The place.
        path: PathBuf,
        /// What belongs there.
        expected: &'static str,
        /// What is there.
        found: &'static str,
    },
    /// Nobody can tell what is there.
    #[error("{}: cannot read it: {source}", .path.display())]
    Unreadable {
        /// The place.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

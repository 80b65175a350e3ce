//! Why a virtual environment may not run.

use std::io;
use std::path::PathBuf;

use mteb_workers::plugins::{OpenPlace, TrustError};

/// A virtual environment that others can change, that is not trusted, or that cannot be looked at.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EnvironmentError {
    /// Others can change something on the way to it, or in it.
    #[error(transparent)]
    Open(#[from] OpenPlace),
    /// The permissions of a folder cannot be read.
    #[error("the permissions of {} cannot be read: {source}", .path.display())]
    Permissions {
        /// The folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Its configuration cannot be read.
    #[error("{} cannot be read: {source}", .path.display())]
    Configuration {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// It cannot be read.
    #[error("{}: cannot read it: {source}", .path.display())]
    Unreadable {
        /// Its folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// There is none.
    #[error("expected a virtual environment with `bin/python`, found none: {}", .0.display())]
    Absent(PathBuf),
    /// The user has not let its interpreter run.
    #[error(
        "{}: expected a Python interpreter that you trust, found {found}; if you trust it, add \
         `--trust-python {}` once, or name another with `--python`", .interpreter.display(), .folder.display()
    )]
    Untrusted {
        /// The interpreter.
        interpreter: PathBuf,
        /// What was found, in words.
        found: &'static str,
        /// The environment.
        folder: PathBuf,
    },
    /// That it is trusted cannot be recorded.
    #[error(transparent)]
    Record(#[from] TrustError),
}

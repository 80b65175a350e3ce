//! Why no Python interpreter runs a model, and why a virtual environment may not run.

use std::io;
use std::path::PathBuf;

use mteb_workers::plugins::{OpenPlace, TrustError};

/// There is no interpreter, or one that nobody should run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PythonError {
    /// What was named is no interpreter and no environment.
    #[error("`--python`: expected an interpreter or a virtual environment, found none: {}", .0.display())]
    Named(PathBuf),
    /// The current folder cannot be told.
    #[error(transparent)]
    Folder(#[from] io::Error),
    /// Others can change the environment.
    #[error(
        "{}: expected a virtual environment that nobody else can change, found that {source}; name it with \
         `--python` if you trust it", .python.display()
    )]
    Open {
        /// Its interpreter.
        python: PathBuf,
        /// What can be changed.
        source: EnvironmentError,
    },
    /// The environment is not trusted, or cannot be looked at.
    #[error(transparent)]
    Environment(#[from] EnvironmentError),
    /// None is on the path.
    #[error(
        "expected a Python interpreter, found no `python3` in the absolute folders of PATH; name one with `--python`"
    )]
    None,
    /// A card of others says whose code runs, and the user not at which revision.
    #[error(
        "{file}: expected `--revision` with `--trust-remote-code`, because this card does not come with \
         mteb-host and says whose code runs; if you trust it, add `--revision {revision}`"
    )]
    NoRevision {
        /// The card.
        file: String,
        /// The revision that it names.
        revision: String,
    },
}

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

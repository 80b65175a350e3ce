//! Why no Python interpreter runs a model.

use std::io;
use std::path::PathBuf;

use super::environment_error::EnvironmentError;

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

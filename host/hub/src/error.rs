//! Why a file of the hub could not be had.

use std::path::PathBuf;

use crate::Repository;

/// A file or repository that could not be had.
#[derive(Debug, thiserror::Error)]
pub enum HubError {
    /// The hub has no such repository or revision, or does not show it.
    #[error("{repository}: the hub has no such repository or revision{}", hint(*.token))]
    NoRepository {
        /// What was asked for.
        repository: Box<Repository>,
        /// True if a token was sent.
        token: bool,
    },
    /// The repository has no such file.
    #[error("{repository}: the hub has no file {file} there")]
    NoFile {
        /// What was asked for.
        repository: Box<Repository>,
        /// The file.
        file: String,
    },
    /// The hub wants to know who asks, or has not granted access.
    #[error(
        "{repository}: {}; accept its conditions on its page and set HF_TOKEN to a token that may read it",
        if *.token { "the token given is not allowed to read it" } else { "it is gated or private, and no token was given" }
    )]
    Refused {
        /// What was asked for.
        repository: Box<Repository>,
        /// True if a token was sent.
        token: bool,
    },
    /// The machine is offline and the file is not in the cache.
    #[error(
        "{repository}: {file} is not in the cache {} and this run is offline; run `mteb-host fetch` with a network first",
        .cache.display()
    )]
    Offline {
        /// What was asked for.
        repository: Box<Repository>,
        /// The file.
        file: String,
        /// The cache that was looked in.
        cache: PathBuf,
    },
    /// What arrived is not what the hub announced.
    #[error("{repository}: {file}: expected {expected}, found {found}; run again")]
    Damaged {
        /// What was asked for.
        repository: Box<Repository>,
        /// The file.
        file: String,
        /// Size or hash that was announced.
        expected: String,
        /// Size or hash of what arrived.
        found: String,
    },
    /// The hub did not answer, or broke off, however often it was asked.
    #[error(
        "{repository}: {what}: gave up after {attempts} attempts: {message}; run again to go on where it stopped"
    )]
    Unreachable {
        /// What was asked for.
        repository: Box<Repository>,
        /// The file, or `list of files`.
        what: String,
        /// How often it was asked.
        attempts: u32,
        /// What the last attempt met.
        message: String,
    },
    /// A path in a listing leads out of its repository.
    #[error("{repository}: expected paths of files inside the repository, found: {file}")]
    UnsafePath {
        /// What was asked for.
        repository: Box<Repository>,
        /// The path.
        file: String,
    },
    /// The cache cannot be read or written.
    #[error("{}: {source}", .path.display())]
    Io {
        /// File or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// What answers is no hub, or its address is none.
    #[error("{0}; check HF_ENDPOINT")]
    Client(String),
}

/// A failed request: what will not pass with time, and what may.
pub(crate) enum Failure {
    /// Asking again will not help.
    Final(HubError),
    /// Asking again may help.
    Passing(String),
}

impl From<HubError> for Failure {
    fn from(error: HubError) -> Self {
        Self::Final(error)
    }
}

fn hint(token: bool) -> &'static str {
    if token { "" } else { ", or shows it only to those who may read it; check the name, or set HF_TOKEN" }
}

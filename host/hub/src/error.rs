//! Why a file of the hub could not be had.

use std::path::PathBuf;

use crate::access::OFFLINE;
use crate::{Repository, SettingError};

/// A file or repository that could not be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
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
        "{repository}: {missing} in the cache {} and this run is offline{}",
        .cache.display(), offline_hint(*.by_variable)
    )]
    Offline {
        /// What was asked for.
        repository: Box<Repository>,
        /// What is not there, in words: a file, or all of them.
        missing: String,
        /// The cache that was looked in.
        cache: PathBuf,
        /// True if the environment alone makes the run offline, which nobody has typed.
        by_variable: bool,
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
    /// The list of files says something else of a file than the hub does when it is asked for the file.
    #[error(
        "{repository}: {file}: expected {expected} of the list of files, found {found} announced; run again"
    )]
    Unlisted {
        /// What was asked for.
        repository: Box<Repository>,
        /// The file.
        file: String,
        /// Size or hash in the list.
        expected: String,
        /// Size or hash that the hub announced.
        found: String,
    },
    /// Whoever asked wants to end.
    #[error("interrupted")]
    Interrupted,
    /// The hub did not answer, or broke off, however often it was asked.
    #[error("{repository}: {what}: gave up after {attempts} attempts: {message}; run again to resume")]
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
    /// Two names differ by case alone.
    #[error("{repository}: expected names of files that differ by more than case, found another of: {file}")]
    SameButCase {
        /// What was asked for.
        repository: Box<Repository>,
        /// The second of them.
        file: String,
    },
    /// A card or a user names a repository that cannot be.
    #[error("expected the name of a repository on the hub as `organisation/name`, found: {0}")]
    RepositoryName(String),
    /// A card or a user names a revision that cannot be.
    #[error("{id}: expected a commit, a branch or a tag as the revision, found: {revision}")]
    Revision {
        /// Name of the repository.
        id: String,
        /// The revision.
        revision: String,
    },
    /// The hub speaks of another commit than the one asked for, or of none.
    #[error("{repository}: {place}, found: {found}; nothing of it was kept")]
    Commit {
        /// What was asked for.
        repository: Box<Repository>,
        /// What was expected, and of which file.
        place: String,
        /// What the hub said.
        found: String,
    },
    /// What the cache notes about a branch is no commit.
    #[error("{}: expected a commit of 40 hex digits, found: {found}; remove the file", .path.display())]
    Note {
        /// The note.
        path: PathBuf,
        /// Its text.
        found: String,
    },
    /// A file of the cache is not the one that was fetched.
    #[error(
        "{}: expected {expected}, found {found}: the file was changed after it was fetched; \
         move it away and run again",
        .path.display()
    )]
    Changed {
        /// The file.
        path: PathBuf,
        /// What it should be, by the hub's list of files or its own name.
        expected: String,
        /// Size or hash of the file.
        found: String,
    },
    /// There is something of another kind where the cache keeps a file or a folder.
    #[error("{}: expected {expected}, found {found}; move it away and run again", .path.display())]
    Kind {
        /// Where.
        path: PathBuf,
        /// The kind that was expected.
        expected: &'static str,
        /// The kind that was found.
        found: String,
    },
    /// A link in the cache that this cache has not made.
    #[error(
        "{}: expected a link that leads to {}, found one to {}; move it away and run again",
        .path.display(), .expected.display(), .found.display()
    )]
    Foreign {
        /// The link.
        path: PathBuf,
        /// Where it should lead.
        expected: PathBuf,
        /// Where it leads.
        found: PathBuf,
    },
    /// Nobody is there: said once for all that is asked of them for a while.
    #[error(
        "{place} cannot be reached: {why}; check the network, or use `--offline` with data that was downloaded earlier"
    )]
    Down {
        /// Scheme and host.
        place: String,
        /// What was met.
        why: String,
    },
    /// The hub cannot prove who it is.
    #[error(
        "{place} cannot be trusted: {why}; if your network has its own certificate authority, set SSL_CERT_FILE \
         to the file with its certificate"
    )]
    Certificate {
        /// Scheme and host.
        place: String,
        /// What is wrong with its certificate.
        why: String,
    },
    /// A variable of the environment cannot be right.
    #[error(transparent)]
    Setting(#[from] SettingError),
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

impl HubError {
    /// True if the list of files cannot be right.
    pub fn contradicts_list(&self) -> bool {
        matches!(self, Self::Unlisted { .. } | Self::NoFile { .. })
    }
}

/// A failed request: what will not pass with time, and what may.
pub(crate) enum Failure {
    /// Asking again will not help.
    Final(HubError),
    /// Asking again may help.
    Passing(String),
    /// The file ends before the place from which on it was asked for.
    Beyond,
    /// Nobody is there; asking again may help, once.
    Down {
        /// Scheme and host.
        place: String,
        /// What was met.
        why: String,
    },
}

impl Failure {
    /// An answer that no hub gives.
    pub fn answer(message: String) -> Self {
        Self::Final(HubError::Client(message))
    }
}

impl From<HubError> for Failure {
    fn from(error: HubError) -> Self {
        Self::Final(error)
    }
}

/// Why nothing may be downloaded, where nobody typed it, and what to do.
fn offline_hint(by_variable: bool) -> String {
    if by_variable {
        format!(" because `{OFFLINE}` is set; unset it, or run `mteb-host fetch` without it first")
    } else {
        "; run `mteb-host fetch` with a network first".to_owned()
    }
}

fn hint(token: bool) -> &'static str {
    if token { "" } else { ", or it is private or gated; check the name, or set HF_TOKEN" }
}

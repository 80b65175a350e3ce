//! Why the user does not trust a file, or why that cannot be recorded.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::private::OpenPlace;

/// Code that is not trusted, or a list of what is that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrustError {
    /// The list would lie below the current folder, which may be anybody's.
    #[error(
        "expected the list of trusted plugins in an absolute folder, found {}; set HOME, or MTEB_HOST_DATA to an \
         absolute folder",
        .0.display()
    )]
    Relative(PathBuf),
    /// The list cannot be read.
    #[error("expected the list of trusted plugins in {}, found: {source}; fix or remove it", .path.display())]
    List {
        /// The list.
        path: PathBuf,
        /// Why not.
        source: ListFault,
    },
    /// The list could not be used when it was read first.
    #[error(transparent)]
    NoList(Arc<TrustError>),
    /// The list cannot be written.
    #[error("cannot write to {}: {source}", .path.display())]
    Write {
        /// The list.
        path: PathBuf,
        /// What the system said, or a [`ListFault`].
        source: io::Error,
    },
    /// Nobody has trusted the file.
    #[error(
        "{}: expected {}; if you trust it, run again with `--trust-plugin {checksum}`",
        .path.display(), .code.unknown()
    )]
    Unknown {
        /// The file.
        path: PathBuf,
        /// What it is.
        code: Code,
        /// Its SHA-256.
        checksum: String,
    },
    /// The file was trusted, and has changed since.
    #[error(
        "{}: expected the trusted SHA-256 {trusted}, found {found}: {}; if you trust it, run again with \
         `--trust-plugin {found}`",
        .path.display(), .code.changed()
    )]
    Changed {
        /// The file.
        path: PathBuf,
        /// What it is.
        code: Code,
        /// SHA-256 that was trusted.
        trusted: String,
        /// SHA-256 of the file.
        found: String,
    },
    /// The list of trusted files does not serve to check or to trust a file.
    #[error("{}: {source}", .path.display())]
    Unlistable {
        /// The file that was to be trusted.
        path: PathBuf,
        /// What is wrong with the list.
        source: Box<TrustError>,
    },
}

/// Why the list of trusted plugins cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ListFault {
    /// The system does not let it be read, or it is no file.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Others can change it.
    #[error(transparent)]
    Open(#[from] OpenPlace),
    /// It is of another form.
    #[error("{}", .0.message())]
    Form(#[source] Box<toml::de::Error>),
}

/// What a file is that is to be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// A plugin.
    Plugin,
    /// A Python file with an evaluator.
    Evaluator {
        /// True if it reads files beside it.
        reads: bool,
    },
}

impl Code {
    /// What was expected and found of a file that nobody has trusted.
    fn unknown(self) -> &'static str {
        match self {
            Self::Plugin => {
                "a plugin that you trust, found an unknown one: it is native code that runs with your permissions"
            }
            Self::Evaluator { .. } => {
                "an evaluator that you trust, found an unknown one: it is code that runs with your permissions, \
                 except those that workers give up"
            }
        }
    }

    /// What has happened to a file that was trusted once.
    fn changed(self) -> &'static str {
        match self {
            Self::Evaluator { reads: true } => "the file, or one of `evaluator_files`, has changed",
            Self::Evaluator { reads: false } | Self::Plugin => "the file has changed",
        }
    }
}

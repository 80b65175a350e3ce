//! Why the data of a unit could not be had.

use std::path::PathBuf;

use mteb_data::DataError;
use mteb_hub::HubError;
use mteb_registry::{Fault, LockError};
use mteb_workers::plugins::WorkerError;

/// Data that could not be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The data is damaged or of another form.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The task pack failed.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// The task pack is absent.
    #[error(
        "expected the task pack `{0}` among the plugins, found none; `mteb-host doctor` lists the folders"
    )]
    NoPack(String),
    /// The card names a place where its data is not.
    #[error("{0}")]
    Card(Fault),
    /// A file of the dataset is absent.
    #[error("expected a dataset at {}, found nothing there; the card's `path` is relative to the card", .0.display())]
    NoPath(PathBuf),
    /// The card's path leads out of its registry.
    #[error(
        "expected data below the folder of the registry ({}), found a `path` that leads to {}; move the data there",
        .root.display(), .path.display()
    )]
    Outside {
        /// The registry's folder.
        root: PathBuf,
        /// Where the path leads.
        path: PathBuf,
    },
    /// The hub does not give the data.
    #[error(transparent)]
    Hub(#[from] HubError),
    /// Another store does not give the data.
    #[error("dataset {dataset}: {why}")]
    NotGiven {
        /// Name of the dataset.
        dataset: String,
        /// What was expected of the store, and what was found.
        why: String,
    },
    /// A data file is not the one that the registry's lock names.
    #[error(
        "{}: expected the SHA-256 {expected} of {lock}, found {found}: the file has changed; {remedy}, or \
         accept it with `mteb-host run --update-lock`", .path.display()
    )]
    Changed {
        /// The file.
        path: PathBuf,
        /// The lock.
        lock: String,
        /// Locked checksum and size.
        expected: String,
        /// Checksum and size of the file.
        found: String,
        /// How to have the locked file again.
        remedy: &'static str,
    },
    /// The lock of the registry cannot be read or written.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The labels or values cannot be treated as the card says.
    #[error("{0}")]
    Transform(String),
}

impl SourceError {
    /// True if it is the store that does not give the data, not a part of it that is at fault: other units of the same dataset fare
    /// no better.
    pub fn is_of_store(&self) -> bool {
        matches!(self, Self::Hub(_) | Self::NotGiven { .. })
    }
}

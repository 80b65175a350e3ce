//! What a place that keeps datasets must be able to do.

use std::path::PathBuf;

use mteb_hub::Report;

use crate::SourceError;

/// One dataset, where it is kept: its files can be listed, and fetched.
///
/// Once they are fetched, the files lie under their names in one folder of this machine. Whatever is made of them is the
/// same for all stores and none of their concern: configs and splits, by the front matter of a `README.md` among them or
/// by their names; the parts of a unit; locks, hashes, rows.
///
/// Two kinds of data have no list of files, and so no store. A task pack is asked in a worker for the rows of one part
/// after the other (`layout/pack.rs`). A card whose `path` names a file needs nothing but this file.
pub trait DatasetStore: Send + Sync {
    /// What tells the dataset from all others of a run: where it is kept, and its name there.
    fn key(&self) -> [PathBuf; 2];

    /// The files of the dataset. Fetches none of them.
    ///
    /// # Errors
    /// If the dataset is not there, or its files cannot be told.
    fn list(&self) -> Result<Listing, SourceError>;

    /// Brings `files`, which were listed, to this machine, those that are not here; `report` is told how far this is.
    ///
    /// # Errors
    /// If one of them cannot be had.
    fn fetch(&self, files: &[&ListedFile], report: &dyn Report) -> Result<(), SourceError>;

    /// The folder in which the files lie or will lie; nothing is listed for it. `None` where files may change without another
    /// revision of the card's: what was read from them before tells nothing of what they hold now.
    fn pinned_folder(&self) -> Option<PathBuf> {
        None
    }

    /// True if whoever laid the files there may change them: those that are read are looked at as they are now.
    fn may_change(&self) -> bool {
        false
    }

    /// True if the list was kept by an earlier run, so that listing anew may give another one. Said once of each list.
    fn doubts_list(&self) -> bool {
        false
    }
}

/// The files of a dataset.
#[derive(Clone, Debug)]
pub struct Listing {
    /// The folder in which they lie under their names once they are fetched.
    pub folder: PathBuf,
    /// The files.
    pub files: Vec<ListedFile>,
}

/// A file of a dataset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedFile {
    /// Path from the dataset's folder, with `/` between its parts.
    pub name: String,
    /// Bytes, where the list says so; of a file that is here its length does.
    pub bytes: Option<u64>,
    /// Hash of its bytes, in the store's own form, where the list says so.
    pub hash: Option<String>,
}

impl ListedFile {
    /// A file that is on this machine.
    pub fn here(name: String) -> Self {
        Self { name, bytes: None, hash: None }
    }
}

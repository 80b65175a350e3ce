//! What a store of datasets must be able to do.

use std::path::PathBuf;

use mteb_hub::Report;

use crate::SourceError;

/// One dataset, where it is kept: its files can be listed, and fetched.
///
/// Once they are fetched, the files lie under their names in one folder of this machine. Whatever is made of them is the
/// same for all stores and none of their concern: configs and splits, by the front matter of a `README.md` among them or
/// by their names; the parts of a unit; locks, hashes, rows.
///
/// Two kinds of data have no list of files, and therefore no store. A task pack in a worker
/// provides the rows of one part after the other (`layout/pack.rs`). A card whose `path` names a
/// file needs only this file.
pub trait DatasetStore: Send + Sync {
    /// Identifies the dataset within a run: its place and its name there.
    fn key(&self) -> [PathBuf; 2];

    /// The files of the dataset. Fetches none of them.
    ///
    /// # Errors
    /// If the dataset does not exist, or its files cannot be listed.
    fn list(&self) -> Result<Listing, SourceError>;

    /// Downloads those of the listed `files` that are not on this machine, and tells `report` about
    /// the progress.
    ///
    /// # Errors
    /// If one of them cannot be downloaded.
    fn fetch(&self, files: &[&ListedFile], report: &dyn Report) -> Result<(), SourceError>;

    /// The folder of the files, even before they are downloaded; nothing is listed. `None` if files
    /// may change while the card's revision stays the same, because earlier contents then say
    /// nothing about the current ones.
    fn pinned_folder(&self) -> Option<PathBuf> {
        None
    }

    /// True if the owner of the files may change them, so that their current contents must be
    /// compared.
    fn may_change(&self) -> bool {
        false
    }

    /// True if an earlier run stored the list, so that a new list may differ. True only once for
    /// each list.
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

//! Datasets in a folder of the user's own, named by the `path` of a card.

use std::path::{Path, PathBuf};

use mteb_data::own_files_below;
use mteb_hub::Report;

use super::store::{DatasetStore, ListedFile, Listing};
use crate::SourceError;

/// A folder of the user's own.
pub struct FolderStore {
    path: PathBuf,
    root: PathBuf,
    cache: PathBuf,
}

impl FolderStore {
    /// The dataset in `path`, whose files may not lie outside of `root`, links followed; what is in `cache` is no data.
    pub fn new(path: PathBuf, root: PathBuf, cache: PathBuf) -> Self {
        Self { path, root, cache }
    }
}

impl DatasetStore for FolderStore {
    fn key(&self) -> [PathBuf; 2] {
        [self.root.clone(), self.path.clone()]
    }

    fn list(&self) -> Result<Listing, SourceError> {
        let mut files = own_files_below(&self.path, std::slice::from_ref(&self.cache))?;
        files.sort();
        files.iter().try_for_each(|file| within(&self.root, &self.path.join(file)))?;
        let files = files.into_iter().map(ListedFile::here).collect();
        Ok(Listing { folder: self.path.clone(), files })
    }

    fn fetch(&self, _: &[&ListedFile], _: &dyn Report) -> Result<(), SourceError> {
        Ok(())
    }
}

/// Checks that `path`, links followed, lies below `root`.
fn within(root: &Path, path: &Path) -> Result<(), SourceError> {
    match path.canonicalize() {
        Ok(found) if found.starts_with(root) => Ok(()),
        Ok(found) => Err(SourceError::Outside { root: root.to_owned(), path: found }),
        Err(_) => Err(SourceError::NoPath(path.to_owned())),
    }
}

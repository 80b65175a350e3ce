//! Datasets of the hub in a folder of this machine that is laid out like one: `datasets/<name>/<revision>`.

use std::path::{Path, PathBuf};

use mteb_data::files_below;
use mteb_hub::{Report, Repository};

use super::store::{DatasetStore, ListedFile, Listing};
use crate::SourceError;

/// A dataset of a mirrored hub.
pub struct MirrorStore {
    root: PathBuf,
    repository: Repository,
}

impl MirrorStore {
    /// The dataset `repository` below `root`.
    pub fn new(root: &Path, repository: Repository) -> Self {
        Self { root: root.to_owned(), repository }
    }

    fn folder(&self) -> PathBuf {
        self.root.join("datasets").join(&self.repository.id).join(&self.repository.revision)
    }
}

impl DatasetStore for MirrorStore {
    fn key(&self) -> [PathBuf; 2] {
        [self.root.clone(), Path::new(&self.repository.id).join(&self.repository.revision)]
    }

    fn list(&self) -> Result<Listing, SourceError> {
        let folder = self.folder();
        if !folder.is_dir() {
            let why = format!("expected the folder {}, found none", folder.display());
            return Err(SourceError::NotGiven { dataset: self.repository.id.clone(), why });
        }
        let files = files_below(&folder)?.into_iter().map(ListedFile::here).collect();
        Ok(Listing { folder, files })
    }

    fn fetch(&self, _: &[&ListedFile], _: &dyn Report) -> Result<(), SourceError> {
        Ok(())
    }

    fn pinned_folder(&self) -> Option<PathBuf> {
        self.repository.is_pinned().then(|| self.folder())
    }

    fn may_change(&self) -> bool {
        true
    }
}

//! Datasets of the hub, whose files come into the cache that other tools share.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use mteb_hub::{Hub, NoReport, RemoteFile, Report, Repository};

use super::store::{DatasetStore, ListedFile, Listing};
use crate::SourceError;

/// A dataset of the hub.
pub struct HubStore {
    hub: Arc<Hub>,
    repository: Repository,
}

impl HubStore {
    /// The dataset `repository`; nothing is asked of the hub yet.
    pub fn new(hub: Arc<Hub>, repository: Repository) -> Self {
        Self { hub, repository }
    }
}

impl DatasetStore for HubStore {
    fn key(&self) -> [PathBuf; 2] {
        [PathBuf::from("hub"), Path::new(&self.repository.id).join(&self.repository.revision)]
    }

    fn list(&self) -> Result<Listing, SourceError> {
        let files = self.hub.files(&self.repository)?;
        let folder = self.hub.fetch(&self.repository, &[], &NoReport)?;
        let listed =
            |file: RemoteFile| ListedFile { name: file.path, bytes: Some(file.size), hash: file.hash };
        Ok(Listing { folder, files: files.into_iter().map(listed).collect() })
    }

    fn fetch(&self, files: &[&ListedFile], report: &dyn Report) -> Result<(), SourceError> {
        let remote = |file: &&ListedFile| RemoteFile {
            path: file.name.clone(),
            size: file.bytes.unwrap_or_default(),
            hash: file.hash.clone(),
        };
        let files: Vec<RemoteFile> = files.iter().map(remote).collect();
        self.hub.fetch(&self.repository, &files, report)?;
        Ok(())
    }

    fn pinned_folder(&self) -> Option<PathBuf> {
        self.hub.snapshot(&self.repository).filter(|_| self.repository.is_pinned())
    }

    fn doubts_list(&self) -> bool {
        self.hub.doubts_list(&self.repository)
    }
}

//! The cache that the ecosystem shares: blobs named by their hash, and snapshots of links to them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::{HubError, Repository};

/// The folder `hub` of the ecosystem's cache.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    root: PathBuf,
    names: hf_hub::Cache,
}

impl Cache {
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), names: hf_hub::Cache::new(root.to_owned()) }
    }

    /// The commit that the revision stands for, as far as the cache knows it.
    pub fn commit(&self, repository: &Repository) -> Option<String> {
        if repository.is_pinned() {
            return Some(repository.revision.clone());
        }
        let name = self.folder(repository).join("refs").join(&repository.revision);
        mteb_files::read_to_string(&name, 1 << 16).ok().map(|commit| commit.trim().to_owned())
    }

    /// The folder that holds the files of `commit` under their names.
    pub fn snapshot(&self, repository: &Repository, commit: &str) -> PathBuf {
        self.names.repo(repository.named()).pointer_path(commit)
    }

    /// The file with the bytes that have the hash `etag`.
    pub fn blob(&self, repository: &Repository, etag: &str) -> PathBuf {
        self.folder(repository).join("blobs").join(etag)
    }

    /// The file that processes lock while they fetch the bytes that have the hash `etag`.
    pub fn lock(&self, repository: &Repository, etag: &str) -> PathBuf {
        self.root.join(".locks").join(repository.named().folder_name()).join(format!("{etag}.lock"))
    }

    /// Notes which commit a branch or tag stands for.
    pub fn note_commit(&self, repository: &Repository, commit: &str) -> Result<(), HubError> {
        if repository.is_pinned() || self.commit(repository).as_deref() == Some(commit) {
            return Ok(());
        }
        let path = self.folder(repository).join("refs").join(&repository.revision);
        make_parent(&path)?;
        fs::write(&path, commit).map_err(|source| HubError::Io { path, source })
    }

    /// Gives the blob its name in the snapshot, as a relative link, so that the cache can be moved.
    pub fn link(
        &self,
        repository: &Repository,
        commit: &str,
        file: &str,
        etag: &str,
    ) -> Result<(), HubError> {
        let path = self.snapshot(repository, commit).join(file);
        make_parent(&path)?;
        let up = "../".repeat(2 + file.matches('/').count());
        let target = format!("{up}blobs/{etag}");
        if fs::read_link(&path).is_ok_and(|found| found == Path::new(&target)) {
            return Ok(());
        }
        let cannot = |source| HubError::Io { path: path.clone(), source };
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(cannot(error)),
            _ => {}
        }
        match std::os::unix::fs::symlink(&target, &path) {
            // Another process was quicker; it links to the same bytes.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            linked => linked.map_err(cannot),
        }
    }

    fn folder(&self, repository: &Repository) -> PathBuf {
        self.root.join(repository.named().folder_name())
    }
}

/// Makes the folder that `path` lies in.
pub(crate) fn make_parent(path: &Path) -> Result<(), HubError> {
    let parent = path.parent().unwrap_or(path);
    fs::create_dir_all(parent).map_err(|source| HubError::Io { path: parent.to_owned(), source })
}

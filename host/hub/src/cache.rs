//! The cache that the ecosystem shares: blobs named by their hash, and snapshots of links to them.
//!
//! A hub says what is written here, so nothing outside a repository's folder is made, followed or removed, and inside it
//! only what this cache itself would have made.

use std::path::{Component, Path, PathBuf};
use std::{fs, io};

use crate::etag::{Etag, hash_like};
use crate::place::{file_or_nothing, found, io_error, make_folders, other_kind};
use crate::repository::{AtCommit, Commit};
use crate::{HubError, RemoteFile, Repository};

/// The folder `hub` of the ecosystem's cache.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    root: PathBuf,
}

impl Cache {
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    /// The commit that a branch or tag stood for when it was last fetched.
    ///
    /// # Errors
    /// If the note of it is damaged.
    pub fn commit(&self, repository: &Repository) -> Result<Option<Commit>, HubError> {
        let path = self.folder(repository).join("refs").join(&repository.revision);
        if file_or_nothing(&path)?.is_none() {
            return Ok(None);
        }
        let text = mteb_files::read_to_string(&path, 1 << 16).map_err(|source| io_error(&path, source))?;
        let commit = Commit::parse(text.trim());
        commit.map(Some).ok_or(HubError::Note { path, found: text.trim().to_owned() })
    }

    /// The folder that holds the files of a commit under their names.
    pub fn snapshot(&self, at: &AtCommit) -> PathBuf {
        self.folder(&at.repository).join("snapshots").join(at.commit.as_str())
    }

    /// The folder for bytes, named by their hashes; it is made.
    pub fn blobs(&self, repository: &Repository) -> Result<PathBuf, HubError> {
        make_folders(&self.folder(repository), Path::new("blobs"))
    }

    /// The file that processes lock while they fetch the bytes that `etag` names; its folder is made.
    pub fn lock(&self, repository: &Repository, etag: &Etag) -> Result<PathBuf, HubError> {
        let folder = Path::new(".locks").join(repository.named().folder_name());
        Ok(make_folders(&self.root, &folder)?.join(format!("{}.lock", etag.as_str())))
    }

    /// True if the snapshot holds `file`: a file, or a link to one of this repository.
    ///
    /// # Errors
    /// If there is anything else under its name.
    pub fn holds(&self, at: &AtCommit, file: &str) -> Result<bool, HubError> {
        let path = self.snapshot(at).join(file);
        let base = self.folder(&at.repository);
        if !base.exists() {
            return Ok(false);
        }
        let base = base.canonicalize().map_err(|source| io_error(&base, source))?;
        let target = match path.canonicalize() {
            Ok(target) => target,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(source) => return Err(io_error(&path, source)),
        };
        if !target.starts_with(&base) {
            return Err(HubError::Foreign { path, expected: base, found: target });
        }
        Ok(file_or_nothing(&target)?.is_some())
    }

    /// Holds a file of the snapshot to what is known of its bytes: one that is no link, as copies of a cache have them, to what the hub
    /// lists; one that is a link to the name of its blob, where that is git's hash (small files) or the list has another size. A large
    /// blob of the right size is hashed by who reads it, and its hash is remembered.
    ///
    /// # Errors
    /// If it has another size or hash, or cannot be read.
    pub fn check(&self, at: &AtCommit, file: &RemoteFile) -> Result<(), HubError> {
        let path = self.snapshot(at).join(&file.path);
        let Ok(found) = path.symlink_metadata() else { return Ok(()) };
        if !found.is_file() {
            return check_blob(&path, file);
        }
        let Some(hash) = &file.hash else { return Ok(()) };
        if found.len() != file.size {
            let (expected, found) =
                (format!("{} bytes, as the hub lists it", file.size), format!("{} bytes", found.len()));
            return Err(HubError::Changed { path, expected, found });
        }
        match hash_like(hash, &path).map_err(|source| io_error(&path, source))? {
            Some(found) if !found.eq_ignore_ascii_case(hash) => Err(HubError::Changed {
                path,
                expected: format!("the hash {hash}, as the hub lists it"),
                found,
            }),
            _ => Ok(()),
        }
    }

    /// Notes which commit a branch or tag stands for.
    pub fn note_commit(&self, at: &AtCommit) -> Result<(), HubError> {
        let AtCommit { repository, commit } = at;
        if repository.is_pinned() {
            return Ok(());
        }
        let note = Path::new("refs").join(&repository.revision);
        let parent = note.parent().unwrap_or(&note);
        let folder = make_folders(&self.folder(repository), parent)?;
        let path = folder.join(note.file_name().unwrap_or_default());
        file_or_nothing(&path)?;
        fs::write(&path, commit.as_str()).map_err(|source| io_error(&path, source))
    }

    /// Gives the blob its name in the snapshot, as a relative link, so that the cache can be moved.
    ///
    /// # Errors
    /// If there is something else under that name, or a folder on the way to it is none.
    pub fn link(&self, at: &AtCommit, file: &str, etag: &Etag) -> Result<(), HubError> {
        let name = Path::new("snapshots").join(at.commit.as_str()).join(file);
        let folder = make_folders(&self.folder(&at.repository), name.parent().unwrap_or(&name))?;
        let path = folder.join(name.file_name().unwrap_or_default());
        let up = "../".repeat(2 + file.matches('/').count());
        let target = PathBuf::from(format!("{up}blobs/{}", etag.as_str()));
        if let Some(found) = found(&path)? {
            if !found.file_type().is_symlink() {
                return Err(other_kind(&path, "a link to the bytes of the file", found.file_type()));
            }
            let old = fs::read_link(&path).map_err(|source| io_error(&path, source))?;
            if old == target {
                return Ok(());
            }
            // A link of ours to bytes that are gone may be made anew; any other is somebody's.
            if path.exists() || !is_blob_link(&old) {
                return Err(HubError::Foreign { path, expected: target, found: old });
            }
            fs::remove_file(&path).map_err(|source| io_error(&path, source))?;
        }
        match std::os::unix::fs::symlink(&target, &path) {
            // Another process was quicker; it links to the same bytes.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            linked => linked.map_err(|source| io_error(&path, source)),
        }
    }

    fn folder(&self, repository: &Repository) -> PathBuf {
        self.root.join(repository.named().folder_name())
    }
}

/// True for `../../blobs/name`, with as many steps up as it takes.
fn is_blob_link(target: &Path) -> bool {
    let mut parts = target.components().skip_while(|part| *part == Component::ParentDir);
    let is_blobs = parts.next() == Some(Component::Normal("blobs".as_ref()));
    is_blobs && matches!(parts.next(), Some(Component::Normal(_))) && parts.next().is_none()
}

/// Holds the blob behind the link at `path` to its name.
fn check_blob(path: &Path, file: &RemoteFile) -> Result<(), HubError> {
    /// Hex digits of git's hash.
    const GIT: usize = 40;
    let failed = |source| io_error(path, source);
    let blob = path.canonicalize().map_err(failed)?;
    let name = blob.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let is_of_other_size = file.hash.is_some() && blob.metadata().map_err(failed)?.len() != file.size;
    if name.len() != GIT && !is_of_other_size {
        return Ok(());
    }
    match hash_like(&name, &blob).map_err(failed)? {
        Some(found) if !found.eq_ignore_ascii_case(&name) => {
            let expected = format!("the bytes whose hash is its name, {name}");
            Err(HubError::Changed { path: blob, expected, found })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;

//! Holds data files to the lock of their registry: what changed since it was written is not read.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use super::SourceError;
use crate::cache::FileHashes;
use crate::registry::{LockedFile, RegistryLock, RegistrySource, TaskEntry, lock_name};

/// The locks of the registries whose data was asked for.
#[derive(Default)]
pub struct Locks {
    /// True if files are taken in, whatever the lock says of them.
    update: bool,
    locks: HashMap<RegistrySource, Option<RegistryLock>>,
}

impl Locks {
    /// Locks that refuse changed files, or take them in if `update`.
    pub fn new(update: bool) -> Self {
        Self { update, ..Self::default() }
    }

    /// Checks the data `files` of a task, which lie in the dataset folder `root` or are that file.
    ///
    /// # Errors
    /// If a file is not the locked one, or cannot be read, or the lock cannot be read or written.
    pub fn check(
        &mut self,
        entry: &TaskEntry,
        root: &Path,
        files: &[PathBuf],
        hashes: &mut FileHashes,
    ) -> Result<(), SourceError> {
        let home = &entry.home;
        if !self.locks.contains_key(home) {
            let lock = RegistryLock::of(home).map_err(SourceError::Transform)?;
            self.locks.insert(home.clone(), lock);
        }
        let lock = self.locks.get(home).and_then(Option::as_ref);
        let named: Vec<(LockedFile, &PathBuf)> =
            files.iter().map(|file| (unlocked(entry, root, file), file)).collect();
        let is_locked = |file: &LockedFile| {
            lock.is_some_and(|lock| lock.file(&file.dataset, &file.revision, &file.path).is_some())
        };
        let needed: Vec<&(LockedFile, &PathBuf)> =
            named.iter().filter(|(file, _)| self.update || is_locked(file)).collect();
        let paths: Vec<&Path> = needed.iter().map(|(_, path)| path.as_path()).collect();
        hashes.add(&paths).map_err(|(path, error)| cannot_read(&path, error))?;
        let with_sum = |(file, path): &(LockedFile, &PathBuf)| {
            let (stamp, sha256) = hashes.of(path).map_err(|error| cannot_read(path, error))?;
            Ok((LockedFile { size: stamp.size(), sha256, ..file.clone() }, (*path).clone()))
        };
        let found: Vec<(LockedFile, PathBuf)> =
            needed.into_iter().map(with_sum).collect::<Result<_, SourceError>>()?;
        if self.update {
            return self.take_in(home, found.into_iter().map(|(file, _)| file));
        }
        match lock {
            Some(lock) => found.iter().try_for_each(|(file, path)| compare(lock, home, file, path)),
            None => Ok(()),
        }
    }

    fn take_in(
        &mut self,
        home: &RegistrySource,
        files: impl Iterator<Item = LockedFile>,
    ) -> Result<(), SourceError> {
        let empty = RegistryLock { schema: 1, files: Vec::new() };
        let lock = self.locks.entry(home.clone()).or_default().get_or_insert(empty);
        let mut is_new = false;
        for file in files {
            is_new |= lock.insert(file);
        }
        if is_new { lock.write(home).map_err(SourceError::Transform) } else { Ok(()) }
    }
}

/// The entry of a file without its checksum.
fn unlocked(entry: &TaskEntry, root: &Path, file: &Path) -> LockedFile {
    let dataset = &entry.card.dataset;
    let name = dataset.hub.as_ref().or(dataset.path.as_ref()).cloned().unwrap_or_default();
    let path = match file.strip_prefix(root) {
        Ok(below) if !below.as_os_str().is_empty() => below.to_string_lossy().into_owned(),
        _ => file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
    };
    let revision = entry.card.revision().to_owned();
    LockedFile { dataset: name, revision, path, size: 0, sha256: String::new() }
}

fn compare(
    lock: &RegistryLock,
    home: &RegistrySource,
    found: &LockedFile,
    path: &Path,
) -> Result<(), SourceError> {
    match lock.file(&found.dataset, &found.revision, &found.path) {
        Some(locked) if locked.sha256 != found.sha256 || locked.size != found.size => {
            Err(SourceError::Changed {
                path: path.to_owned(),
                lock: lock_name(home),
                expected: format!("{} ({} bytes)", locked.sha256, locked.size),
                found: format!("{} ({} bytes)", found.sha256, found.size),
            })
        }
        _ => Ok(()),
    }
}

/// The error of a data file that cannot be read.
pub fn cannot_read(path: &Path, source: io::Error) -> SourceError {
    mteb_data::DataError::Io { path: path.to_owned(), source }.into()
}

//! Holds data files to the lock of their registry: what changed since it was written is not read.

use std::collections::HashMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::SourceError;
use crate::registry::{LockedFile, RegistryLock, RegistrySource, TaskEntry, lock_name};

/// The locks of the registries whose data was asked for, and the checksums that were computed.
#[derive(Default)]
pub struct Locks {
    /// True if files are taken in, whatever the lock says of them.
    update: bool,
    locks: HashMap<RegistrySource, Option<RegistryLock>>,
    sums: HashMap<PathBuf, (u64, String)>,
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
    pub fn check(&mut self, entry: &TaskEntry, root: &Path, files: &[PathBuf]) -> Result<(), SourceError> {
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
        let new: Vec<&PathBuf> =
            needed.iter().map(|(_, path)| *path).filter(|path| !self.sums.contains_key(*path)).collect();
        let sums: Vec<(PathBuf, (u64, String))> = new
            .into_par_iter()
            .map(|path| {
                checksum(path).map(|sum| (path.clone(), sum)).map_err(|error| cannot_read(path, error))
            })
            .collect::<Result<_, SourceError>>()?;
        self.sums.extend(sums);
        let found: Vec<(LockedFile, PathBuf)> =
            needed.into_iter().map(|(file, path)| (self.with_sum(file, path), (*path).clone())).collect();
        if self.update {
            return self.take_in(home, found.into_iter().map(|(file, _)| file));
        }
        match lock {
            Some(lock) => found.iter().try_for_each(|(file, path)| compare(lock, home, file, path)),
            None => Ok(()),
        }
    }

    fn with_sum(&self, file: &LockedFile, path: &Path) -> LockedFile {
        let (size, sha256) = self.sums.get(path).cloned().unwrap_or_default();
        LockedFile { size, sha256, ..file.clone() }
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

fn checksum(path: &Path) -> io::Result<(u64, String)> {
    let mut file = mteb_files::open(path)?;
    let (mut hasher, mut size) = (Sha256::new(), 0);
    let mut buffer = vec![0; 1 << 18];
    loop {
        let count = file.read(&mut buffer)?;
        if count == 0 {
            break;
        }
        hasher.update(&buffer[..count]);
        size += count as u64;
    }
    let digits = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((size, digits))
}

fn cannot_read(path: &Path, source: io::Error) -> SourceError {
    mteb_data::DataError::Io { path: path.to_owned(), source }.into()
}

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

    /// Checks the data `files` of a task, which lie in the dataset folder `root` or are that file. The lock of a registry
    /// that is part of the binary is never updated: its files are held to it.
    ///
    /// # Errors
    /// If a file is not the locked one, or cannot be read, or the lock cannot be read or written.
    pub fn check(&mut self, entry: &TaskEntry, root: &Path, files: &[PathBuf]) -> Result<(), SourceError> {
        let home = &entry.home;
        let update = self.update && matches!(home, RegistrySource::File(_));
        if !self.locks.contains_key(home) {
            let lock = RegistryLock::of(home).map_err(SourceError::Transform)?;
            self.locks.insert(home.clone(), lock);
        }
        let lock = self.locks.get(home).and_then(Option::as_ref);
        let named: Vec<(Names, &PathBuf)> =
            files.iter().map(|file| (Names::of(entry, root, file), file)).collect();
        let needed: Vec<&(Names, &PathBuf)> = named
            .iter()
            .filter(|(names, _)| update || lock.is_some_and(|lock| names.locked_in(lock).is_some()))
            .collect();
        let new: Vec<&PathBuf> =
            needed.iter().map(|(_, path)| *path).filter(|path| !self.sums.contains_key(*path)).collect();
        let sums: Vec<(PathBuf, (u64, String))> = new
            .into_par_iter()
            .map(|path| {
                checksum(path).map(|sum| (path.clone(), sum)).map_err(|error| cannot_read(path, error))
            })
            .collect::<Result<_, SourceError>>()?;
        self.sums.extend(sums);
        if update {
            let found: Vec<LockedFile> =
                needed.iter().map(|(names, path)| self.with_sum(names, path)).collect();
            let lock = RegistryLock::update(home, found).map_err(SourceError::Transform)?;
            self.locks.insert(home.clone(), Some(lock));
            return Ok(());
        }
        let Some(lock) = lock else { return Ok(()) };
        needed.iter().try_for_each(|(names, path)| {
            let found = self.with_sum(names, path);
            names.locked_in(lock).map_or(Ok(()), |locked| compare(locked, home, &found, path))
        })
    }

    fn with_sum(&self, names: &Names, path: &Path) -> LockedFile {
        let (size, sha256) = self.sums.get(path).cloned().unwrap_or_default();
        let Names { dataset, revision, path, .. } = names.clone();
        LockedFile { dataset, revision, path, size, sha256 }
    }
}

/// How a lock names a file.
#[derive(Clone, Debug)]
struct Names {
    dataset: String,
    /// The name of the dataset in locks of before: the card's `path` as it is written, which cards in several folders
    /// share.
    earlier: String,
    revision: String,
    path: String,
}

impl Names {
    fn of(entry: &TaskEntry, root: &Path, file: &Path) -> Self {
        let dataset = &entry.card.dataset;
        let earlier = dataset.hub.as_ref().or(dataset.path.as_ref()).cloned().unwrap_or_default();
        let named = if dataset.hub.is_none() { below_registry(entry, root) } else { None };
        let path = match file.strip_prefix(root) {
            Ok(below) if !below.as_os_str().is_empty() => below.to_string_lossy().into_owned(),
            _ => file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        };
        let dataset = named.unwrap_or_else(|| earlier.clone());
        Self { dataset, earlier, revision: entry.card.revision().to_owned(), path }
    }

    /// The entry of the file, by its name of now, else by that of before.
    fn locked_in<'a>(&self, lock: &'a RegistryLock) -> Option<&'a LockedFile> {
        let find = |dataset: &str| lock.file(dataset, &self.revision, &self.path);
        find(&self.dataset).or_else(|| find(&self.earlier))
    }
}

/// The dataset's path from the registry's folder, as `./cards/pairs.csv`, which no dataset of a hub is called; `.` for that
/// folder itself. `None` for data that does not lie below it.
fn below_registry(entry: &TaskEntry, root: &Path) -> Option<String> {
    let RegistrySource::File(registry) = &entry.home else { return None };
    let folder = registry.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (folder, root) = (folder.canonicalize().ok()?, root.canonicalize().ok()?);
    let below = root.strip_prefix(folder).ok()?.to_string_lossy().into_owned();
    Some(if below.is_empty() { ".".to_owned() } else { format!("./{below}") })
}

fn compare(
    locked: &LockedFile,
    home: &RegistrySource,
    found: &LockedFile,
    path: &Path,
) -> Result<(), SourceError> {
    if locked.sha256 == found.sha256 && locked.size == found.size {
        return Ok(());
    }
    Err(SourceError::Changed {
        path: path.to_owned(),
        lock: lock_name(home),
        expected: format!("{} ({} bytes)", locked.sha256, locked.size),
        found: format!("{} ({} bytes)", found.sha256, found.size),
    })
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

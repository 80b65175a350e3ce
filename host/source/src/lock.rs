//! Checks data files against the lock of their registry: a file that has changed since is not read.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};

use mteb_base::suggest::list_names;
use mteb_cache::FileHashes;
use mteb_registry::{
    LockedFile, RegistryLock, RegistrySource, TaskEntry, fetched_from, lock_name, locked_names,
};

use super::SourceError;

/// The locks of the registries whose data was requested.
#[derive(Default)]
pub struct Locks {
    /// True if the lock accepts the current files, whatever it says about them.
    update: bool,
    /// True if locks are ignored.
    none: bool,
    locks: HashMap<RegistrySource, Option<RegistryLock>>,
    /// Files that were read although the lock of their registry lacks them, by lock.
    unnamed: BTreeMap<String, BTreeSet<String>>,
}

impl Locks {
    /// Locks that refuse changed files or, with `update`, accept them.
    pub fn new(update: bool) -> Self {
        Self { update, ..Self::default() }
    }

    /// Locks that are ignored.
    pub fn none() -> Self {
        Self { none: true, ..Self::default() }
    }

    /// Checks the data `files` of a task, which lie in the dataset folder `root` or are that file. The lock of a registry
    /// that is part of the binary, or of a commit of git, is never updated: its files are held to it.
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
        if self.none {
            return Ok(());
        }
        let home = &entry.home;
        let update = self.update && matches!(home, RegistrySource::File(_)) && fetched_from(home).is_none();
        if !self.locks.contains_key(home) {
            let lock = match RegistryLock::of(home) {
                Err(found) if update && found.is_rewritable => None,
                lock => lock.map_err(|found| SourceError::Lock(found.into()))?,
            };
            self.locks.insert(home.clone(), lock);
        }
        let lock = self.locks.get(home).and_then(Option::as_ref);
        let named: Vec<(Names, &PathBuf)> =
            files.iter().map(|file| (Names::of(entry, root, file), file)).collect();
        let needed: Vec<&(Names, &PathBuf)> = named
            .iter()
            .filter(|(names, _)| update || lock.is_some_and(|lock| names.locked_in(lock).is_some()))
            .collect();
        let paths: Vec<&Path> = needed.iter().map(|(_, path)| path.as_path()).collect();
        hashes.add(&paths).map_err(|(path, error)| cannot_read(&path, error))?;
        let found: Vec<LockedFile> = needed
            .iter()
            .map(|(names, path)| {
                let (stamp, sha256) = hashes.of(path).map_err(|error| cannot_read(path, error))?;
                Ok(names.make_entry(stamp.size(), sha256))
            })
            .collect::<Result<_, SourceError>>()?;
        if update {
            let lock = RegistryLock::update(home, found).map_err(SourceError::Lock)?;
            self.locks.insert(home.clone(), Some(lock));
            return Ok(());
        }
        let Some(lock) = lock else { return Ok(()) };
        if matches!(home, RegistrySource::File(_)) && fetched_from(home).is_none() {
            let unnamed = named.iter().filter(|(names, _)| names.locked_in(lock).is_none());
            let unnamed: Vec<String> =
                unnamed.map(|(names, _)| names.make_entry(0, String::new()).label()).collect();
            if !unnamed.is_empty() {
                self.unnamed.entry(lock_name(home)).or_default().extend(unnamed);
            }
        }
        let remedy = if entry.card.dataset.is_own() { "restore the earlier file" } else { "fetch it again" };
        needed.iter().zip(&found).try_for_each(|((names, path), found)| {
            names.locked_in(lock).map_or(Ok(()), |locked| compare(locked, home, found, (path, remedy)))
        })
    }
}

impl Locks {
    /// A line for each lock that lacks some of the files that were read: changes of these files go
    /// unnoticed.
    pub fn take_warnings(&mut self) -> Vec<String> {
        let line = |(lock, files): (String, BTreeSet<String>)| {
            let files: Vec<String> = files.into_iter().collect();
            let (count, them) = match files.len() {
                1 => ("1 data file that was read is".to_owned(), "it"),
                count => (format!("{count} data files that were read are"), "them"),
            };
            let names = list_names(&files);
            format!("{lock}: {count} not in the lock: {names}; add {them} with `run --update-lock`")
        };
        std::mem::take(&mut self.unnamed).into_iter().map(line).collect()
    }
}

/// How a lock names a file.
#[derive(Clone, Debug)]
struct Names {
    dataset: String,
    /// The name of the dataset in locks of before.
    earlier: String,
    revision: String,
    path: String,
}

impl Names {
    fn of(entry: &TaskEntry, root: &Path, file: &Path) -> Self {
        let [dataset, earlier] = locked_names(entry, root);
        let path = match file.strip_prefix(root) {
            Ok(below) if !below.as_os_str().is_empty() => below.to_string_lossy().into_owned(),
            _ => file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        };
        Self { dataset, earlier, revision: entry.card.revision().to_owned(), path }
    }

    /// The entry of the file, with its size and checksum.
    fn make_entry(&self, size: u64, sha256: String) -> LockedFile {
        let Self { dataset, revision, path, .. } = self.clone();
        LockedFile { dataset, revision, path, size, sha256 }
    }

    /// The entry of the file, by its name of now, else by that of before.
    fn locked_in<'a>(&self, lock: &'a RegistryLock) -> Option<&'a LockedFile> {
        let find = |dataset: &str| lock.file(dataset, &self.revision, &self.path);
        find(&self.dataset).or_else(|| find(&self.earlier))
    }
}

fn compare(
    locked: &LockedFile,
    home: &RegistrySource,
    found: &LockedFile,
    (path, remedy): (&Path, &'static str),
) -> Result<(), SourceError> {
    // Others write hex digits in capitals.
    if locked.sha256.eq_ignore_ascii_case(&found.sha256) && locked.size == found.size {
        return Ok(());
    }
    Err(SourceError::Changed {
        path: path.to_owned(),
        lock: lock_name(home),
        expected: format!("{} ({} bytes)", locked.sha256, locked.size),
        found: format!("{} ({} bytes)", found.sha256, found.size),
        remedy,
    })
}

/// The error of a data file that cannot be read.
pub fn cannot_read(path: &Path, source: io::Error) -> SourceError {
    mteb_data::DataError::Io { path: path.to_owned(), source }.into()
}

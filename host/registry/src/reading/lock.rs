//! `<registry>.lock.toml`: size and checksum of every data file that a registry's tasks read, and
//! which of its entries the cards of the registry use.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mteb_base::suggest::list_names;
use mteb_files::LockedFolder;
use serde::{Deserialize, Serialize};

use super::place::data_path;
use super::source::{RegistrySource, embedded_text};
use crate::git::fetched_from;
use crate::{Fault, LoadedRegistry, Locator, TaskEntry};

/// The first line of every lock, by which one is known that is damaged.
const HEAD: &str = "# Checksums of the data files. Written by `mteb-host run --update-lock`.\n";

/// What a lock says.
const KEYS: [&str; 2] = ["schema", "file"];

/// The locked files of a registry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegistryLock {
    /// Version of the schema; always 1.
    pub schema: u32,
    /// The files, sorted by dataset, revision and path.
    #[serde(default, rename = "file", skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<LockedFile>,
}

/// One data file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockedFile {
    /// Dataset on the hub, or where the card's `path` leads from the registry's folder, as `./cards/pairs.csv`.
    pub dataset: String,
    /// Revision of the dataset; `1` for data that names none.
    pub revision: String,
    /// Path of the file in the dataset.
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// SHA-256 in hex digits.
    pub sha256: String,
}

impl RegistryLock {
    /// The lock of `registry`, or `None` if it has none.
    ///
    /// # Errors
    /// If the file cannot be read, or is no lock.
    pub fn of(registry: &RegistrySource) -> Result<Option<Self>, LockFault> {
        let name = lock_name(registry);
        let text = match registry {
            RegistrySource::Embedded(_) => match embedded_text(&name) {
                Some(text) => text.to_owned(),
                None => return Ok(None),
            },
            RegistrySource::File(_) => match mteb_files::read_to_string(Path::new(&name), mteb_files::TEXT) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) => {
                    let fault = Fault::of_file(&name, format!("cannot read the lock: {error}"));
                    return Err(LockFault { fault, is_rewritable: false });
                }
                Ok(text) => text,
            },
        };
        let locator = Locator::new(&name, &text);
        let fault = |span, why: &str| {
            let is_rewritable = text.trim().is_empty() || text.starts_with(HEAD) && !says_more(&text);
            let advice = if is_rewritable {
                "write it again with `--update-lock`, or remove it"
            } else {
                "move it away"
            };
            let message = format!("expected a lock file, found another: {why}; {advice}");
            LockFault { fault: locator.fault_at(span, message), is_rewritable }
        };
        let lock: Self = toml::from_str(&text).map_err(|error| fault(error.span(), error.message()))?;
        if lock.schema == 1 { Ok(Some(lock)) } else { Err(fault(None, &format!("schema {}", lock.schema))) }
    }

    /// The entry of a file.
    pub fn file(&self, dataset: &str, revision: &str, path: &str) -> Option<&LockedFile> {
        let index = self.files.binary_search_by_key(&(dataset, revision, path), LockedFile::key).ok()?;
        self.files.get(index)
    }

    /// Takes in a file; true if it was not there, or was there with another checksum.
    fn insert(&mut self, file: LockedFile) -> bool {
        match self.files.binary_search_by(|found| found.key().cmp(&file.key())) {
            Ok(index) if self.files[index] == file => false,
            Ok(index) => {
                self.files[index] = file;
                true
            }
            Err(index) => {
                self.files.insert(index, file);
                true
            }
        }
    }

    /// Removes local files that are no longer there, below the registry's `folder`; true if there was one.
    fn forget_absent(&mut self, folder: &Path) -> bool {
        let before = self.files.len();
        self.files.retain(|file| {
            let is_local = file.dataset.starts_with("./");
            let place = folder.join(&file.dataset);
            !is_local || place.is_file() || place.join(&file.path).is_file()
        });
        self.files.len() < before
    }

    /// Takes `files` into the lock of `registry`; gives the lock as it is then.
    ///
    /// # Errors
    /// If the lock cannot be read or written, or the registry is part of the binary.
    pub fn update(
        registry: &RegistrySource,
        files: impl IntoIterator<Item = LockedFile>,
    ) -> Result<Self, LockError> {
        let files: Vec<LockedFile> = files.into_iter().collect();
        Self::change(registry, |lock, folder| {
            let mut is_new = lock.forget_absent(folder);
            for file in &files {
                is_new |= lock.insert(file.clone());
            }
            is_new
        })
    }

    /// Keeps those entries of the lock of `registry` for which `is_kept`.
    ///
    /// # Errors
    /// As [`Self::update`].
    pub fn keep(registry: &RegistrySource, is_kept: impl Fn(&LockedFile) -> bool) -> Result<(), LockError> {
        let changed = Self::change(registry, |lock, _| {
            let before = lock.files.len();
            lock.files.retain(&is_kept);
            lock.files.len() < before
        });
        changed.map(drop)
    }

    /// Changes the lock of `registry` as it is on the disk, so that what another process has added meanwhile is kept.
    /// `change` gets the folder of the registry, and says whether there is something to write.
    fn change(
        registry: &RegistrySource,
        change: impl Fn(&mut Self, &Path) -> bool,
    ) -> Result<Self, LockError> {
        let name = lock_name(registry);
        let RegistrySource::File(_) = registry else {
            return Err(LockError::Bundled(name));
        };
        let cannot_write = |source: io::Error| LockError::CannotWrite { lock: name.clone(), source };
        let path = Path::new(&name);
        mteb_files::check_place(path).map_err(cannot_write)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let changed = LockedFolder::change(folder, |locked| {
            let empty = Self { schema: 1, files: Vec::new() };
            let (mut lock, is_rewritten) = match Self::of(registry) {
                Ok(found) => (found.unwrap_or(empty), false),
                Err(found) if found.is_rewritable => (empty, true),
                Err(found) => return Ok(Err(LockError::Fault(found))),
            };
            if change(&mut lock, folder) || is_rewritten {
                let text = toml::to_string(&lock).map_err(io::Error::other)?;
                let own_name = Path::new(path.file_name().unwrap_or_default());
                locked.write(own_name, format!("{HEAD}{text}").as_bytes())?;
            }
            Ok(Ok(lock))
        });
        changed.map_err(cannot_write)?
    }
}

/// True if a later version, or somebody else, has written what this one does not know.
fn says_more(text: &str) -> bool {
    let Ok(table) = text.parse::<toml::Table>() else { return false };
    let is_later = table.get("schema").and_then(toml::Value::as_integer).is_some_and(|schema| schema > 1);
    is_later || table.keys().any(|key| !KEYS.contains(&key.as_str()))
}

/// Why a lock cannot be changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LockError {
    /// The registry is part of the binary.
    #[error("{0}: expected the lock of a registry in a file, found one of the binary")]
    Bundled(String),
    /// It cannot be read.
    #[error(transparent)]
    Fault(#[from] LockFault),
    /// It cannot be written.
    #[error("{lock}: cannot write the lock: {source}")]
    CannotWrite {
        /// Its file.
        lock: String,
        /// What the system said.
        source: io::Error,
    },
}

/// Why a lock cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fault}")]
pub struct LockFault {
    /// What is wrong, and where.
    pub fault: Fault,
    /// True if a new lock may take its place: it was one, or is empty. What others have written there stays.
    pub is_rewritable: bool,
}

/// What is wrong with the locks of the registries that `tasks` are of.
pub fn lock_faults<'a>(tasks: impl Iterator<Item = &'a Arc<TaskEntry>>) -> Vec<LockFault> {
    let mut homes: Vec<&RegistrySource> = Vec::new();
    for task in tasks {
        if matches!(task.home, RegistrySource::File(_)) && !homes.contains(&&task.home) {
            homes.push(&task.home);
        }
    }
    homes.into_iter().filter_map(|home| RegistryLock::of(home).err()).collect()
}

impl LockedFile {
    /// The file as messages name it, from the folder of the registry or from the hub.
    pub fn label(&self) -> String {
        let dataset = self.dataset.strip_prefix("./").unwrap_or(&self.dataset);
        if dataset == self.path || dataset.ends_with(&format!("/{}", self.path)) {
            return dataset.to_owned();
        }
        if dataset == "." { self.path.clone() } else { format!("{dataset}/{}", self.path) }
    }

    fn key(&self) -> (&str, &str, &str) {
        (&self.dataset, &self.revision, &self.path)
    }
}

/// Name of the lock of `registry`: a path, or a name within the binary.
pub fn lock_name(registry: &RegistrySource) -> String {
    let path = match registry {
        RegistrySource::Embedded(name) => PathBuf::from(name),
        RegistrySource::File(path) => path.clone(),
    };
    path.with_extension("lock.toml").display().to_string()
}

/// The names that a lock may have for the dataset of a task, which is the folder or the file `root`: that of now, and that of
/// locks of before, the card's `path` as it is written, which cards in several folders share.
pub fn locked_names(entry: &TaskEntry, root: &Path) -> [String; 2] {
    let dataset = &entry.card.dataset;
    let earlier = dataset.fetched().or(dataset.path.as_deref()).unwrap_or_default().to_owned();
    let named = if dataset.is_own() { below_registry(entry, root) } else { None };
    [named.unwrap_or_else(|| earlier.clone()), earlier]
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

/// A warning for each lock of the registries that has entries which no card of its registry uses any more.
pub fn unused_entries(loaded: &[LoadedRegistry]) -> Vec<Fault> {
    let mut warnings: Vec<Fault> = Vec::new();
    for home in loaded.iter().filter_map(own_home) {
        let Ok(Some(lock)) = RegistryLock::of(home) else { continue };
        let used = used_datasets(loaded, home);
        let unused: Vec<String> =
            lock.files.iter().filter(|file| !is_used(&used, file)).map(LockedFile::label).collect();
        if unused.is_empty() {
            continue;
        }
        let (files, no_more) = match unused.len() {
            1 => ("1 data file is".to_owned(), "it"),
            count => (format!("{count} data files are"), "them"),
        };
        let message = format!(
            "{files} named that no card of the registry reads any more: {}; `run --update-lock` removes {no_more}",
            list_names(&unused)
        );
        let warning = Fault::of_file(lock_name(home), message);
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    warnings
}

/// Takes out of the locks of the registries what no card of theirs uses any more.
///
/// # Errors
/// If a lock cannot be written.
pub fn drop_unused_entries(loaded: &[LoadedRegistry]) -> Result<(), LockError> {
    for home in loaded.iter().filter_map(own_home) {
        // One that is broken is written again, and none need not be.
        if matches!(RegistryLock::of(home), Ok(Some(_))) {
            let used = used_datasets(loaded, home);
            RegistryLock::keep(home, |file| is_used(&used, file))?;
        }
    }
    Ok(())
}

/// The file of a registry, if it is one. Of a registry that another one includes, tasks may be left out there; its lock is looked
/// at where it is named itself.
fn own_home(loaded: &LoadedRegistry) -> Option<&RegistrySource> {
    let mut homes = loaded.tasks.iter().map(|task| &task.home);
    // Nobody here can change the lock of a commit.
    let is_own =
        |home: &&RegistrySource| matches!(home, RegistrySource::File(_)) && fetched_from(home).is_none();
    homes.find(|home| is_own(home) && home.label() == loaded.file)
}

/// Dataset and revision of all tasks of the registry in the file `home`.
fn used_datasets(loaded: &[LoadedRegistry], home: &RegistrySource) -> HashSet<(String, String)> {
    let of_home = loaded.iter().filter(|registry| registry.file == home.label());
    let tasks = of_home.flat_map(|registry| &registry.tasks).filter(|task| task.home == *home);
    let all = tasks.flat_map(|task| task.members.iter().chain([task]));
    all.flat_map(|task| {
        let root = if task.card.dataset.is_own() { data_path(task).ok() } else { None };
        let names = locked_names(task, root.as_deref().unwrap_or(Path::new("")));
        names.map(|name| (name, task.card.revision().to_owned()))
    })
    .collect()
}

fn is_used(used: &HashSet<(String, String)>, file: &LockedFile) -> bool {
    used.contains(&(file.dataset.clone(), file.revision.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, sha256: &str) -> LockedFile {
        LockedFile {
            dataset: "a/b".to_owned(),
            revision: "1".to_owned(),
            path: path.to_owned(),
            size: 3,
            sha256: sha256.to_owned(),
        }
    }

    #[test]
    fn a_lock_is_written_sorted_and_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let registry = RegistrySource::File(folder.path().join("mine.toml"));
        assert_eq!(RegistryLock::of(&registry), Ok(None));
        RegistryLock::update(&registry, [file("test.csv", "aa"), file("a.csv", "bb")]).unwrap();
        RegistryLock::update(&registry, [file("test.csv", "cc")]).unwrap();
        let read = RegistryLock::of(&registry).unwrap().unwrap();
        assert_eq!(read.files, [file("a.csv", "bb"), file("test.csv", "cc")]);
        assert_eq!(read.file("a/b", "1", "test.csv").map(|file| file.sha256.as_str()), Some("cc"));
        assert_eq!(read.file("a/b", "2", "test.csv"), None);
        assert!(folder.path().join("mine.lock.toml").is_file());
    }
}

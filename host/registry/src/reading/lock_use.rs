//! Which entries of a lock the cards of its registry use: by which names it may have their data, and which of its entries are left over.

use std::collections::HashSet;
use std::path::Path;

use mteb_base::listed::listed;

use super::lock::{LockError, LockedFile, RegistryLock, lock_name};
use super::place::data_path;
use crate::git::fetched_from;
use crate::{Fault, LoadedRegistry, RegistrySource, TaskEntry};

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
            listed(&unused)
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

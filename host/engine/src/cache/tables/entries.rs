//! The files of kept rows: how one gets there whole, and which go when there are too many.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tempfile::NamedTempFile;

use super::stamp::STAMPS;
use crate::cache::folder;
use crate::calendar;
use crate::leftover::is_hash;

/// Ending of the files.
pub const ENDING: &str = "table";

/// A file of kept rows, ordered by the time of its last use.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// When it was last used by a new run.
    pub used: SystemTime,
    /// Its length.
    pub bytes: u64,
    /// The file.
    pub path: PathBuf,
}

/// The file of `key` below `root`.
pub fn path(root: &Path, key: &str) -> PathBuf {
    root.join(key).with_extension(ENDING)
}

/// The files below `root`; those that another process removes in this moment are left out.
pub fn entries(root: &Path) -> Vec<Entry> {
    let entry = |path: PathBuf| {
        let found = fs::metadata(&path).ok()?;
        Some(Entry { used: found.modified().ok()?, bytes: found.len(), path })
    };
    let paths = fs::read_dir(root).into_iter().flatten().flatten().map(|entry| entry.path());
    paths.filter(|path| is_hash(path, 64, ENDING) && folder::is_file(path)).filter_map(entry).collect()
}

/// Notes that `file` was used. A cache that cannot be written forgets in another order, that is all.
pub fn used(file: &File) {
    let _ = file.set_modified(calendar::now());
}

/// A file below `root` that is renamed when it is whole.
///
/// # Errors
/// If the folder cannot be made or written.
pub fn begin(root: &Path) -> io::Result<NamedTempFile> {
    fs::create_dir_all(root.join(STAMPS))?;
    folder::locked_file(root)
}

/// Makes room for `file` among the `limit` bytes below `root`, and gives it the name of `key` and the permissions `mode`.
///
/// # Errors
/// If it cannot be renamed.
pub fn keep(file: NamedTempFile, root: &Path, key: &str, limit: u64, mode: u32) -> io::Result<()> {
    let needed = file.as_file().metadata()?.len();
    let mut entries = entries(root);
    entries.sort();
    let mut total: u64 = entries.iter().map(|entry| entry.bytes).sum();
    for entry in entries {
        if total.saturating_add(needed) <= limit {
            break;
        }
        if fs::remove_file(&entry.path).is_ok() {
            total -= entry.bytes;
        }
    }
    folder::persist(file, &path(root, key), mode)
}

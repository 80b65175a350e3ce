//! Keeps a cache below its limit: the files that were not used for the longest time go first.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A file of a cache, ordered by the time of its last use.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoredFile {
    /// When something of it was last used in a new run.
    pub used: SystemTime,
    /// Its length.
    pub bytes: u64,
    /// The file.
    pub path: PathBuf,
}

impl StoredFile {
    /// The file at `path`; `None` if another process removes it in this moment.
    pub fn at(path: PathBuf) -> Option<Self> {
        let found = fs::metadata(&path).ok()?;
        Some(Self { used: found.modified().ok()?, bytes: found.len(), path })
    }
}

/// Removes files of `stored` until those that stay and `needed` more bytes fit into `limit`. What cannot be removed is left to
/// another time, and what `is_ours` does not know is left for ever.
pub fn make_room(mut stored: Vec<StoredFile>, limit: u64, needed: u64, is_ours: fn(&Path) -> bool) {
    let mut total: u64 = stored.iter().map(|file| file.bytes).sum();
    stored.sort();
    for file in stored {
        if total.saturating_add(needed) <= limit {
            break;
        }
        if is_ours(&file.path) && fs::remove_file(&file.path).is_ok() {
            total -= file.bytes;
        }
    }
}

//! Keeps the cache below its limit: the segments that were not used for the longest time go first.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::folder;
use crate::leftover::is_hash;

/// A segment file, ordered by the time of its last use.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoredSegment {
    /// When a row of it was last used in a new run.
    pub used: SystemTime,
    /// Its length.
    pub bytes: u64,
    /// The file.
    pub path: PathBuf,
}

/// Removes segments of any model below `root` until those that stay and `needed` more bytes fit into `limit`.
/// What cannot be read or removed is left to another time.
pub fn make_room(root: &Path, limit: u64, needed: u64) {
    let stored = model_folders(root).into_iter().filter_map(|folder| stored_segments(&folder).ok());
    let mut stored: Vec<StoredSegment> = stored.flatten().collect();
    let mut total: u64 = stored.iter().map(|segment| segment.bytes).sum();
    stored.sort();
    for segment in stored {
        if total.saturating_add(needed) <= limit {
            break;
        }
        if fs::remove_file(&segment.path).is_ok() {
            total -= segment.bytes;
        }
    }
}

/// Folders of models below `root`, by name.
pub fn model_folders(root: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        fs::read_dir(root).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    let is_folder = |path: &Path| path.symlink_metadata().is_ok_and(|found| found.is_dir());
    folders.retain(|path| is_hash(path, 32, "") && is_folder(path));
    folders.sort();
    folders
}

/// The segments of one model; those that another process removes in this moment are left out.
///
/// # Errors
/// If the folder is there and cannot be read.
pub fn stored_segments(folder: &Path) -> io::Result<Vec<StoredSegment>> {
    let stored = |path: PathBuf| {
        let metadata = fs::metadata(&path).ok()?;
        Some(StoredSegment { used: metadata.modified().ok()?, bytes: metadata.len(), path })
    };
    Ok(folder::segments(folder)?.into_iter().filter_map(stored).collect())
}

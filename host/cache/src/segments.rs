//! Which segments are kept, of which models.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::evict::{self, StoredFile};
use super::folder;
use super::hash_name::is_hash;
use super::mark;

/// Removes segments of any model below `root` until those that stay and `needed` more bytes fit into `limit`. What cannot be
/// read is left to another time.
pub fn make_room(root: &Path, limit: u64, needed: u64) {
    let stored = model_folders(root).into_iter().filter_map(|folder| stored_segments(&folder).ok());
    evict::make_room(stored.flatten().collect(), limit, needed, mark::is_segment);
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

/// The segments of one model.
///
/// # Errors
/// If the folder is there and cannot be read.
pub fn stored_segments(folder: &Path) -> io::Result<Vec<StoredFile>> {
    Ok(folder::segments(folder)?.into_iter().filter_map(StoredFile::at).collect())
}

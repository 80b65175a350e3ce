//! The files of kept rows: how one is written atomically, and which go when there are too many.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use mteb_base::calendar;
use tempfile::NamedTempFile;

use super::stamp::STAMPS;
use crate::files::{self, StoredFile, is_hash, make_room};
use crate::folder;

/// Ending of the files.
pub const ENDING: &str = "table";

/// The file of `key` below `root`.
pub fn path(root: &Path, key: &str) -> PathBuf {
    root.join(key).with_extension(ENDING)
}

/// The files below `root`; those that another process removes in this moment are skipped.
pub fn entries(root: &Path) -> Vec<StoredFile> {
    let paths = fs::read_dir(root).into_iter().flatten().flatten().map(|entry| entry.path());
    paths
        .filter(|path| is_hash(path, 64, ENDING) && folder::is_file(path))
        .filter_map(StoredFile::at)
        .collect()
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
    make_room(entries(root), limit, needed, files::is_table);
    mteb_files::persist(file, &path(root, key), mode)
}

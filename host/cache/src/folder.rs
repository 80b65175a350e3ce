//! The folder of one model identity: its segments, and how a new one is written atomically.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use mteb_files::{Form, persist};
use tempfile::NamedTempFile;

use crate::ModelIdentity;
use crate::files::{self, StoredFile, is_hash};
use crate::segment::ENDING;
use crate::segment_head::SegmentHead;

/// File that says whose rows the folder holds.
pub const MODEL_FILE: &str = "model.json";

/// Permissions of a file that everyone may read.
pub const SHARED: u32 = 0o644;

/// The segment files of a folder, by name; none if there is no such folder.
///
/// # Errors
/// If the folder is there and cannot be read.
pub fn segments(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| is_hash(path, 64, ENDING) && is_file(path));
    paths.sort();
    Ok(paths)
}

/// Writes a segment: under a temporary name, flushed to the disk, then renamed. Its name is the hash of its
/// head, so that two processes that write the same rows write the same file, and no others ever meet.
///
/// # Errors
/// If the folder cannot be made or the file cannot be written.
pub fn write(
    folder: &Path,
    identity: &ModelIdentity,
    head: &SegmentHead,
    rows: &[u8],
) -> io::Result<PathBuf> {
    let head = head.to_bytes();
    let path = folder.join(format!("{}.{ENDING}", blake3::hash(&head).to_hex()));
    let write = || {
        fs::create_dir_all(folder)?;
        let model = folder.join(MODEL_FILE);
        if !model.exists() {
            write_file(&model, folder, &[format!("{:#}\n", identity.description).as_bytes()])?;
        }
        write_file(&path, folder, &[&head, rows])
    };
    match write() {
        // `mteb-host cache clear` has taken the folder away meanwhile.
        Err(error) if error.kind() == io::ErrorKind::NotFound => write()?,
        written => written?,
    }
    Ok(path)
}

/// Removes what killed processes have left.
pub fn remove_leftovers(folder: &Path) {
    mteb_files::remove_leftovers(folder, Form::CACHING);
}

/// A temporary file that no process cleans away while this one writes it.
///
/// # Errors
/// If the folder cannot be written.
pub fn locked_file(folder: &Path) -> io::Result<NamedTempFile> {
    mteb_files::locked_file(folder, &Form::CACHING.builder())
}

/// True for a file that is no link and no device.
pub fn is_file(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_file())
}

/// Removes a file; one that another process has removed meanwhile was to go, too.
///
/// # Errors
/// If it is there and cannot be removed.
pub fn remove_file(path: impl AsRef<Path>) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Removes `folder` if nothing is in it; true if it is gone.
pub fn remove_if_empty(folder: &Path) -> bool {
    fs::remove_dir(folder).is_ok() || !folder.exists()
}

fn write_file(path: &Path, folder: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let mut file = locked_file(folder)?;
    parts.iter().try_for_each(|part| file.write_all(part))?;
    file.as_file().sync_all()?;
    // A cache may be shared.
    persist(file, path, SHARED)
}

/// Removes segments of any model below `root` until those that stay and `needed` more bytes fit into `limit`. What cannot be
/// read is left to another time.
pub fn make_room(root: &Path, limit: u64, needed: u64) {
    let stored = model_folders(root).into_iter().filter_map(|folder| stored_segments(&folder).ok());
    files::make_room(stored.flatten().collect(), limit, needed, files::is_segment);
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
    Ok(segments(folder)?.into_iter().filter_map(StoredFile::at).collect())
}

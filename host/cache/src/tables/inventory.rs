//! What is kept, over all data files: for `mteb-host cache`.

use std::io::ErrorKind;
use std::path::Path;
use std::time::SystemTime;
use std::{fs, io};

use mteb_data::mapped::{RecordFault, Recorded};

use super::rows::entries;
use super::stamp;
use crate::{Verified, files, folder};

/// The kept rows of all data files.
#[derive(Clone, Copy, Debug, Default)]
pub struct TablesCached {
    /// Files of kept rows.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// When one was last read or written.
    pub last_used: Option<SystemTime>,
}

/// The rows that are kept below `root`.
pub fn tables_info(root: &Path) -> TablesCached {
    let entries = entries(root);
    TablesCached {
        files: entries.len(),
        bytes: entries.iter().map(|entry| entry.bytes).sum(),
        last_used: entries.iter().map(|entry| entry.used).max(),
    }
}

/// Removes all kept rows, and nothing else that lies there; gives the number of bytes.
///
/// # Errors
/// If something cannot be removed.
pub fn clear_tables(root: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    folder::remove_leftovers(root);
    for entry in entries(root).into_iter().filter(|entry| files::is_table(&entry.path)) {
        folder::remove_file(&entry.path)?;
        bytes += entry.bytes;
    }
    let stamps = root.join(stamp::STAMPS);
    folder::remove_leftovers(&stamps);
    for stamp in stamp::stamps(root).into_iter().filter(|stamp| stamp::is_one(stamp)) {
        folder::remove_file(stamp)?;
    }
    folder::remove_if_empty(&stamps);
    folder::remove_if_empty(root);
    Ok(bytes)
}

/// Reads every row below `root`; removes what is damaged, and what killed runs and changed files have left.
pub fn verify_tables(root: &Path) -> Verified {
    let mut verified = Verified::default();
    folder::remove_leftovers(root);
    folder::remove_leftovers(&root.join(stamp::STAMPS));
    stamp::remove_stale(root);
    for path in entries(root).into_iter().map(|entry| entry.path) {
        match check(&path) {
            Ok(rows) => {
                verified.sound += 1;
                verified.rows += rows;
            }
            Err(RecordFault::Io(error)) if error.kind() != ErrorKind::UnexpectedEof => {
                verified.unreadable.push((path, error.to_string()));
            }
            Err(_) if !files::is_table(&path) => verified.unreadable.push((path, files::MISSING.to_owned())),
            Err(error) => {
                let _ = fs::remove_file(&path);
                verified.damaged.push((path, error.to_string()));
            }
        }
    }
    verified
}

fn check(path: &Path) -> Result<usize, RecordFault> {
    let key = path.file_stem().unwrap_or_default().to_string_lossy();
    let rows = Recorded::open(mteb_files::open(path)?, &key)?.check()?;
    Ok(usize::try_from(rows).unwrap_or(usize::MAX))
}

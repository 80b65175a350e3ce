//! The files of a dataset's folder, however odd the folder is.

use std::collections::HashSet;
use std::fs::{self, DirEntry};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::DataError;
use crate::input::is_readable;

/// Most files and folders that a dataset may have.
const MOST: usize = 1_000_000;

/// Most folders that may lie in one another.
const DEEPEST: usize = 32;

/// Whether a file or folder, by its path relative to the dataset's folder and by its full one, is looked at.
pub type Keep<'a> = &'a dyn Fn(&str, &Path) -> bool;

/// The paths of all files below `folder`, relative to it, links followed.
///
/// # Errors
/// If a folder cannot be read, lies too deep or within itself, or there are too many files, or one that may hold rows
/// has a name that is no UTF-8.
pub fn files_below(folder: &Path) -> Result<Vec<String>, DataError> {
    collect(folder, &|_, _| true)
}

/// The paths of all files below `root` that `keep` lets through, relative to it, links followed.
///
/// # Errors
/// If a folder cannot be read, lies too deep or within itself, or there are too many files, or one that may hold rows
/// has a name that is no UTF-8.
pub fn collect(root: &Path, keep: Keep) -> Result<Vec<String>, DataError> {
    let mut walk = Walk { root, keep, entries: 0, around: HashSet::new(), files: Vec::new() };
    walk.folder("", 0)?;
    Ok(walk.files)
}

/// The first names of many, for messages.
pub fn first_of(files: &[String]) -> String {
    let more = if files.len() > 8 { ", …" } else { "" };
    files.iter().take(8).cloned().collect::<Vec<_>>().join(", ") + more
}

struct Walk<'a> {
    root: &'a Path,
    keep: Keep<'a>,
    /// Files and folders that were seen.
    entries: usize,
    /// Device and number of the folders around.
    around: HashSet<(u64, u64)>,
    files: Vec<String>,
}

impl Walk<'_> {
    fn folder(&mut self, below: &str, depth: usize) -> Result<(), DataError> {
        let folder = self.root.join(below);
        let io = |source| DataError::Io { path: folder.clone(), source };
        let found = fs::metadata(&folder).map_err(io)?;
        let own = (found.dev(), found.ino());
        if !self.around.insert(own) {
            return Err(fault(&folder, "folders without cycles, found a link to a parent folder".to_owned()));
        }
        if depth > DEEPEST {
            return Err(fault(&folder, format!("folders at most {DEEPEST} deep, found more")));
        }
        for entry in fs::read_dir(&folder).map_err(io)? {
            self.entry(below, depth, &entry.map_err(io)?)?;
        }
        self.around.remove(&own);
        Ok(())
    }

    fn entry(&mut self, below: &str, depth: usize, entry: &DirEntry) -> Result<(), DataError> {
        self.entries += 1;
        if self.entries > MOST {
            return Err(fault(self.root, format!("at most {MOST} files and folders, found more")));
        }
        let (path, name) = (entry.path(), entry.file_name());
        let shown = name.to_string_lossy();
        let relative = if below.is_empty() { shown.to_string() } else { format!("{below}/{shown}") };
        // What a run that writes beside the data has there for a moment is none.
        if shown.starts_with(".mteb-host-") || !(self.keep)(&relative, &path) {
            return Ok(());
        }
        let kind = entry.file_type().ok();
        let is_link = kind.is_none_or(|kind| kind.is_symlink());
        let is_folder = if is_link { path.is_dir() } else { kind.is_some_and(|kind| kind.is_dir()) };
        if name.to_str().is_none() && (is_folder || is_readable(&shown)) {
            let folder = path.parent().unwrap_or(self.root);
            return Err(fault(folder, format!("names in UTF-8, found: {shown}; rename it")));
        }
        if is_folder {
            return self.folder(&relative, depth + 1);
        }
        self.files.push(relative);
        Ok(())
    }
}

fn fault(place: &Path, found: String) -> DataError {
    DataError::Malformed { place: place.display().to_string(), message: format!("expected {found}") }
}

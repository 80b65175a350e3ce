//! What all kept lists of files take, and their removal: only files of the names that lists have, and folders left empty.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::commit::Commit;

/// Folders below that of the lists: their form, the hub, the repository.
const DEPTH: usize = 3;

/// Lists of files of the hub.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeptLists {
    /// How many there are.
    pub lists: usize,
    /// Bytes that they take.
    pub bytes: u64,
}

impl KeptLists {
    /// The lists below `folder`.
    pub fn below(folder: &Path) -> Self {
        let mut found = Self::default();
        for path in lists(folder, DEPTH) {
            found.lists += 1;
            found.bytes += path.symlink_metadata().map_or(0, |list| list.len());
        }
        found
    }

    /// Removes the lists below `folder`; gives what was removed.
    ///
    /// # Errors
    /// If one of them cannot be removed.
    pub fn clear(folder: &Path) -> io::Result<Self> {
        let found = Self::below(folder);
        lists(folder, DEPTH).iter().try_for_each(fs::remove_file)?;
        remove_empty(folder, DEPTH);
        Ok(found)
    }
}

/// The files below `folder` that have names of lists, or of lists that a killed process has begun.
fn lists(folder: &Path, depth: usize) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && depth > 0 {
            found.extend(lists(&entry.path(), depth - 1));
        } else if kind.is_file() && is_list(&entry.file_name().to_string_lossy()) {
            found.push(entry.path());
        }
    }
    found
}

fn is_list(name: &str) -> bool {
    let Some((commit, end)) = name.split_once('.') else { return false };
    let process = end.strip_suffix(".tmp").unwrap_or_default();
    let is_begun = !process.is_empty() && process.bytes().all(|byte| byte.is_ascii_digit());
    Commit::parse(commit).is_some() && (end == "json" || is_begun)
}

fn remove_empty(folder: &Path, depth: usize) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if depth > 0 && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_empty(&entry.path(), depth - 1);
        }
    }
    // A folder that holds anything else stays.
    let _ = fs::remove_dir(folder);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_go_and_what_is_none_stays() {
        let folder = tempfile::tempdir().unwrap();
        let commit = "0123456789abcdef0123456789abcdef01234567";
        let write = |path: &str| {
            let path = folder.path().join("lists").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "[]").unwrap();
            path
        };
        let kept = [
            format!("v2/0011223344556677/datasets--a--b/{commit}.json"),
            format!("v2/0011223344556677/datasets--a--b/{commit}.42.tmp"),
            format!("datasets--old--form/{commit}.json"),
        ];
        let kept = kept.map(|path| write(&path));
        let own = ["notes.json".to_owned(), format!("mine/{commit}.txt")].map(|path| write(&path));
        let lists = folder.path().join("lists");
        assert_eq!(KeptLists::below(&lists), KeptLists { lists: 3, bytes: 6 });
        assert_eq!(KeptLists::clear(&lists).unwrap().lists, 3);
        assert!(kept.iter().all(|path| !path.exists()) && own.iter().all(|path| path.exists()));
        assert!(!lists.join("v2").exists());
    }
}

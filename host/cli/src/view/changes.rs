//! Whether folders of results have changed: by what their files are called, how large they are and when they were written.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

/// Folders deeper than these hold no results: `MODEL/REVISION/outcomes/TASK`.
const DEEPEST: usize = 6;

/// A number that differs where a result was added, changed or removed below any of `folders`.
pub fn state_of(folders: &[PathBuf]) -> u64 {
    folders.iter().map(|folder| below(folder, DEEPEST)).fold(0, u64::wrapping_add)
}

/// Of one folder; files are added up, so that the order in which a system lists them says nothing.
fn below(folder: &Path, deepest: usize) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let mut sum = 0u64;
    for entry in entries.flatten() {
        let path = entry.path();
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && deepest > 0 {
            sum = sum.wrapping_add(below(&path, deepest - 1));
            continue;
        }
        if path.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let Ok(facts) = entry.metadata() else { continue };
        let mut hasher = DefaultHasher::new();
        (path, facts.len(), facts.modified().ok()).hash(&mut hasher);
        sum = sum.wrapping_add(hasher.finish());
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_that_is_added_changed_or_removed_is_seen_and_another_file_is_not() {
        let root = tempfile::tempdir().unwrap();
        let (folder, folders) = (root.path().join("m/1"), [root.path().to_owned()]);
        fs::create_dir_all(&folder).unwrap();
        let empty = state_of(&folders);
        fs::write(folder.join("Task.json"), "{}").unwrap();
        let one = state_of(&folders);
        assert_ne!(one, empty);
        fs::write(folder.join("notes.txt"), "x").unwrap();
        assert_eq!(state_of(&folders), one);
        fs::write(folder.join("Task.json"), "{ }").unwrap();
        assert_ne!(state_of(&folders), one);
        fs::remove_file(folder.join("Task.json")).unwrap();
        assert_eq!(state_of(&folders), empty);
        assert_eq!(state_of(&[root.path().join("absent")]), 0);
    }
}

//! Copies of files as they were before they were written anew: `<name>-<milliseconds>.json` in a folder of their own.

use std::fs;
use std::path::{Path, PathBuf};

/// The copies in `folder`, each with the name of its file, the newest first; none where there is no such folder. Folders, links and
/// other files are no copies.
pub fn copies(folder: &Path) -> Vec<(String, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let regular = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut found: Vec<(u128, String, PathBuf)> = regular
        .filter_map(|entry| {
            let (name, time) = name_and_time(&entry.path())?;
            Some((time, name, entry.path()))
        })
        .collect();
    found.sort_by(|one, other| other.cmp(one));
    found.into_iter().map(|(_, name, path)| (name, path)).collect()
}

/// The copies in `folder` of the file called `name`, the newest first.
pub fn copies_of(folder: &Path, name: &str) -> Vec<PathBuf> {
    copies(folder).into_iter().filter(|(found, _)| found == name).map(|(_, path)| path).collect()
}

fn name_and_time(path: &Path) -> Option<(String, u128)> {
    let stem = path.file_stem().filter(|_| path.extension().is_some_and(|ending| ending == "json"))?;
    let (name, time) = stem.to_str()?.rsplit_once('-')?;
    let is_number = !time.is_empty() && time.bytes().all(|byte| byte.is_ascii_digit());
    Some((name.to_owned(), time.parse().ok().filter(|_| is_number)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_told_from_other_files_and_come_the_newest_first() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["A-9.json", "A-10.json", "A-b-7.json", "A.json", "A-x.json", "A-+1.json", "A-5.txt"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        fs::create_dir(folder.path().join("A-11.json")).unwrap();
        let names = |paths: Vec<PathBuf>| -> Vec<String> {
            paths.iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
        };
        assert_eq!(names(copies_of(folder.path(), "A")), ["A-10.json", "A-9.json"]);
        assert_eq!(names(copies_of(folder.path(), "A-b")), ["A-b-7.json"]);
        assert!(copies(&folder.path().join("none")).is_empty());
    }
}

//! What all kept lists of files take, and their removal: only files that are lists by place, name and content, and the folders that they
//! leave empty.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::repository::Commit;

/// Folder of the lists of today, as [`crate::listing`] has it.
const FORM: &str = "v2";

/// How a list of today begins, and one of earlier versions.
const BEGINS: [&[u8]; 2] = [b"{\"endpoint\":", b"[{\"path\":"];

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
        for path in lists(folder) {
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
        for list in lists(folder) {
            match fs::remove_file(&list) {
                // Another process has cleared them, too.
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            let folders = list.ancestors().skip(1).take_while(|above| above.starts_with(folder));
            // A folder that holds anything else stays.
            folders.map_while(|empty| fs::remove_dir(empty).ok()).for_each(drop);
        }
        Ok(found)
    }
}

/// The files below `folder` that are lists by place, name and content: `v2/<hub>/<repository>/<commit>.json`, or of earlier versions
/// `<repository>/<commit>.json`; also those that a killed process of such a version has begun. No link is followed.
fn lists(folder: &Path) -> Vec<PathBuf> {
    let hubs = folders(&folder.join(FORM), is_hub);
    let repositories = hubs.iter().flat_map(|hub| folders(hub, is_repository));
    let earlier = if is_folder(folder) { folders(folder, is_repository) } else { Vec::new() };
    let all = if is_folder(folder) { repositories.chain(earlier).collect() } else { Vec::new() };
    all.iter().flat_map(|repository: &PathBuf| entries(repository)).filter(|file| is_list(file)).collect()
}

/// The folders in `folder` whose names are such; none if it is a link.
fn folders(folder: &Path, is_name: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let found = if is_folder(folder) { entries(folder) } else { Vec::new() };
    let is_wanted =
        |path: &PathBuf| is_folder(path) && is_name(&path.file_name().unwrap_or_default().to_string_lossy());
    found.into_iter().filter(is_wanted).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_dir())
}

/// The hash of an address, as [`crate::listing`] writes it.
fn is_hub(name: &str) -> bool {
    name.len() == 16 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn is_repository(name: &str) -> bool {
    name.starts_with("datasets--") || name.starts_with("models--")
}

fn is_list(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Some((commit, end)) = name.split_once('.') else { return false };
    let process = end.strip_suffix(".tmp").unwrap_or_default();
    let is_begun = !process.is_empty() && process.bytes().all(|byte| byte.is_ascii_digit());
    let is_file = path.symlink_metadata().is_ok_and(|found| found.is_file());
    is_file && Commit::parse(commit).is_some() && (end == "json" || is_begun) && begins_as_list(path)
}

fn begins_as_list(path: &Path) -> bool {
    BEGINS.iter().any(|begin| {
        let mut found = Vec::new();
        let read =
            mteb_files::open(path).and_then(|file| file.take(begin.len() as u64).read_to_end(&mut found));
        read.is_ok() && found == *begin
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_go_and_what_is_none_stays() {
        let folder = tempfile::tempdir().unwrap();
        let commit = "0123456789abcdef0123456789abcdef01234567";
        let write = |path: &str, text: &str| {
            let path = folder.path().join("lists").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            path
        };
        let (now, before) = (r#"{"endpoint":"h","files":[]}"#, r#"[{"path":"a"}]"#);
        let kept = [
            (format!("v2/0011223344556677/datasets--a--b/{commit}.json"), now),
            (format!("v2/0011223344556677/datasets--a--b/{commit}.42.tmp"), &now[..20]),
            (format!("datasets--old--form/{commit}.json"), before),
        ];
        let kept = kept.map(|(path, text)| write(&path, text));
        let own = [
            ("notes.json".to_owned(), now),
            (format!("mine/{commit}.txt"), now),
            (format!("org/name/{commit}.json"), now),
            (format!("v2/mine/datasets--a--b/{commit}.json"), now),
            (format!("v2/0011223344556677/datasets--a--c/{commit}.json"), "mine"),
        ];
        let own = own.map(|(path, text)| write(&path, text));
        let empty = folder.path().join("lists/empty");
        fs::create_dir(&empty).unwrap();
        let lists = folder.path().join("lists");
        let linked = folder.path().join("linked");
        std::os::unix::fs::symlink(&lists, &linked).unwrap();
        assert_eq!(KeptLists::clear(&linked).unwrap(), KeptLists::default());
        let bytes = (now.len() + 20 + before.len()) as u64;
        assert_eq!(KeptLists::below(&lists), KeptLists { lists: 3, bytes });
        assert_eq!(KeptLists::clear(&lists).unwrap().lists, 3);
        assert!(kept.iter().all(|path| !path.exists()) && own.iter().all(|path| path.exists()));
        assert!(empty.exists() && !lists.join("datasets--old--form").exists());
        assert!(!lists.join("v2/0011223344556677/datasets--a--b").exists());
    }
}

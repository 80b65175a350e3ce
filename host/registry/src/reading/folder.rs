//! The TOML files of a folder and of the folders in it, paths as people write them, and the files
//! in the folder `page` beside a registry, with the texts of pages in one more language.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};
use std::{fs, io};

use serde_json::{Map, Value};

use super::text::{Text, is_card, read_text};
use crate::Fault;

/// Folders within folders that are looked into.
const DEEPEST: usize = 32;

/// Folders that are looked into for a hint.
const MOST_BELOW: usize = 1000;

/// The TOML files in `folder` and below, sorted, those of a folder before those of the folders in it. Locks, and what
/// lies in hidden folders, are skipped; a folder that several links lead to is read once.
///
/// # Errors
/// If a folder cannot be read.
pub fn toml_files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    collect(folder, 0, &mut HashSet::new(), &mut files)?;
    Ok(files)
}

/// The TOML files in `folder` alone, sorted, without locks.
///
/// # Errors
/// If the folder cannot be read.
pub fn toml_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = entries(folder)?.into_iter().filter(|path| is_toml(path)).collect();
    files.sort();
    Ok(files)
}

/// True if one of the folders in `folder` holds a TOML file; what lies deeper is not looked at, for `folder` may be `/`.
pub fn has_toml_one_below(folder: &Path) -> bool {
    let below = entries(folder).unwrap_or_default().into_iter().filter(|path| path.is_dir());
    below.take(MOST_BELOW).any(|path| toml_files(&path).is_ok_and(|files| !files.is_empty()))
}

fn collect(
    folder: &Path,
    depth: usize,
    seen: &mut HashSet<PathBuf>,
    files: &mut Vec<PathBuf>,
) -> io::Result<()> {
    if depth > DEEPEST || !seen.insert(folder.canonicalize()?) {
        return Ok(());
    }
    files.extend(toml_files(folder)?);
    let is_hidden =
        |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    let mut folders: Vec<PathBuf> =
        entries(folder)?.into_iter().filter(|path| !is_hidden(path) && path.is_dir()).collect();
    folders.sort();
    folders.iter().try_for_each(|folder| collect(folder, depth + 1, seen, files))
}

fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
}

fn is_toml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "toml")
        && !is_lock(path)
        && !is_manifest(path)
        && !path.is_dir()
}

/// True if `path` is what cargo reads: registries and cards may lie in a package of Rust, as the host's own do.
fn is_manifest(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "Cargo.toml")
}

/// True if `path` is the name of a lock, which is no registry.
fn is_lock(path: &Path) -> bool {
    path.to_string_lossy().ends_with(".lock.toml")
}

/// The same path without `.` in it, and without folders that the `..` behind them leaves again; what a link leads to stays.
pub fn plain_path(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        let is_folder = matches!(plain.components().next_back(), Some(Component::Normal(_)));
        if component == Component::ParentDir && is_folder && plain.is_dir() && !plain.is_symlink() {
            plain.pop();
        } else {
            plain.push(component);
        }
    }
    if plain.as_os_str().is_empty() { PathBuf::from(".") } else { plain }
}

/// The folder of the languages beside registries.
const PAGE: &str = "page";

/// The files beside the registry in `file`, sorted; none where it is part of the binary.
pub fn page_languages_beside(file: &Path) -> Vec<PathBuf> {
    if !file.is_file() {
        return Vec::new();
    }
    let beside = file.parent().unwrap_or(Path::new("")).join(PAGE);
    let files = toml_files(&beside).unwrap_or_default();
    // A folder of this name may hold cards.
    files.into_iter().filter(|file| !read_text(file).is_ok_and(|text| is_card(&text))).collect()
}

/// Reads such a file.
///
/// # Errors
/// If it is no regular file, too large, or no text.
pub fn read_page_language(file: &Path) -> Result<Text, Fault> {
    read_text(file)
}

/// True if a text lies where the languages of pages do and holds texts.
pub fn is_page_language(text: &Text) -> bool {
    let folder = text.path.as_deref().and_then(Path::parent).and_then(Path::file_name);
    folder.is_some_and(|name| name == PAGE)
        && !is_card(text)
        && text.parse::<Map<String, Value>>().is_ok_and(|table| table.contains_key("texts"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_folder_is_left_again_unless_a_link_leads_there() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        fs::create_dir_all(at("cards/sub")).unwrap();
        std::os::unix::fs::symlink(at("cards/sub"), at("link")).unwrap();
        assert_eq!(plain_path(&at("cards/sub/../../data/a.csv")), at("data/a.csv"));
        assert_eq!(plain_path(&at("./cards/./a.csv")), at("cards/a.csv"));
        assert_eq!(plain_path(&at("link/../a.csv")), at("link/../a.csv"));
        assert_eq!(plain_path(&at("absent/../a.csv")), at("absent/../a.csv"));
        assert_eq!(plain_path(Path::new("./a.csv")), Path::new("./a.csv"));
        assert_eq!(plain_path(Path::new("")), Path::new("."));
    }
}

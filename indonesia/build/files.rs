//! Files and folders that the pack is built from.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// What a step of the build gives.
pub type Outcome<T> = Result<T, Box<dyn Error>>;

/// The bytes of `file`; the build runs again once they change.
pub fn read(file: &Path) -> Outcome<Vec<u8>> {
    println!("cargo::rerun-if-changed={}", file.display());
    fs::read(file).map_err(|error| format!("{}: cannot read it: {error}", file.display()).into())
}

/// What is in `folder`; nothing if there is none.
pub fn sorted(folder: &Path) -> Outcome<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        files.push(entry?.path());
    }
    files.retain(|file| !file.file_name().unwrap_or_default().to_string_lossy().starts_with('.'));
    files.sort();
    Ok(files)
}

/// The name of `file` without its ending.
pub fn stem(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

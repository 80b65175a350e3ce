//! Files and folders that the pack is built from.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// What a step of the build gives.
pub type Outcome<T> = Result<T, Box<dyn Error>>;

/// How files of earlier editions end, which are kept compressed.
const COMPRESSED: &str = "zst";

/// The bytes of `file`, unpacked where it is compressed; the build runs again once they change.
pub fn read(file: &Path) -> Outcome<Vec<u8>> {
    println!("cargo::rerun-if-changed={}", file.display());
    let fault = |error| format!("{}: cannot read it: {error}", file.display());
    let bytes = fs::read(file).map_err(fault)?;
    match file.extension().is_some_and(|ending| ending == COMPRESSED) {
        true => Ok(zstd::stream::decode_all(&bytes[..]).map_err(fault)?),
        false => Ok(bytes),
    }
}

/// The bytes of the data file `name` in `folder`, be it compressed or not.
pub fn read_data(folder: &Path, name: &str) -> Outcome<Vec<u8>> {
    let plain = folder.join(format!("{name}.jsonl"));
    let compressed = folder.join(format!("{name}.jsonl.{COMPRESSED}"));
    read(if compressed.is_file() { &compressed } else { &plain })
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

/// The name of `file` without its endings.
pub fn stem(file: &Path) -> String {
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    match file.extension().is_some_and(|ending| ending == COMPRESSED) {
        true => stem(Path::new(&name)),
        false => name,
    }
}

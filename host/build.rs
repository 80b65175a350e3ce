//! Puts the registries and their cards into the binary, so that an installed host knows them.

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?).join("../registries");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    if root.is_dir() {
        collect(&root, &mut files)?;
    }
    files.sort();
    let mut source = String::from("&[\n");
    for file in &files {
        let name = file.strip_prefix(&root)?.to_string_lossy().replace('\\', "/");
        writeln!(source, "    ({name:?}, include_str!({:?})),", fs::canonicalize(file)?)?;
    }
    source.push_str("]\n");
    fs::write(PathBuf::from(std::env::var("OUT_DIR")?).join("registries.rs"), source)?;
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            println!("cargo::rerun-if-changed={}", path.display());
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            files.push(path);
        }
    }
    Ok(())
}

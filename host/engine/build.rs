//! Puts the registries and their cards into the library, so that an installed host knows them; no build goes without.
//!
//! Beside its text each file is there as JSON, which is read many times as fast as TOML: listing all tasks is to take
//! milliseconds. A file that is no TOML has no JSON, and the host says what is wrong with it when it reads the text.

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?).join("../../registries");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    collect(&root, &mut files).map_err(|error| {
        format!(
            "{}: expected the registries of the project, which become part of the host: {error}; build from the \
             whole repository",
            root.display()
        )
    })?;
    if files.is_empty() {
        return Err(format!("{}: expected registries, found no `.toml` file", root.display()).into());
    }
    let name = |file: &Path| file.strip_prefix(&root).map(|name| name.to_string_lossy().replace('\\', "/"));
    let mut files: Vec<(String, PathBuf)> =
        files.into_iter().map(|file| Ok((name(&file)?, file))).collect::<Result<_, Box<dyn Error>>>()?;
    files.sort();
    let mut source = String::from("&[\n");
    for (name, file) in &files {
        let json = fs::read_to_string(file)?.parse::<toml::Table>().ok();
        let json = json.map(|table| serde_json::to_string(&table)).transpose()?;
        writeln!(source, "    ({name:?}, include_str!({:?}), {json:?}),", fs::canonicalize(file)?)?;
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

//! Puts the cards and the data of the pack into the library.

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    let mut source = String::from("&[\n");
    for card in sorted(&root.join("cards"))? {
        let name = card.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        writeln!(source, "    Dataset {{")?;
        writeln!(source, "        name: {name:?},")?;
        writeln!(source, "        card: include_str!({card:?}),")?;
        writeln!(source, "        files: &[")?;
        let data = root.join("data").join(&name);
        if !data.is_dir() {
            return Err(
                format!("{}: expected the data of card {name}, found no folder", data.display()).into()
            );
        }
        for file in sorted(&data)? {
            let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            writeln!(source, "            ({stem:?}, include_str!({file:?})),")?;
        }
        writeln!(source, "        ],\n    }},")?;
    }
    source.push_str("]\n");
    fs::write(PathBuf::from(std::env::var("OUT_DIR")?).join("datasets.rs"), source)?;
    Ok(())
}

fn sorted(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        files.push(entry?.path());
    }
    files.retain(|file| !file.file_name().unwrap_or_default().to_string_lossy().starts_with('.'));
    files.sort();
    Ok(files)
}

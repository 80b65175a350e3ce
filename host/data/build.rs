//! Tells the crate what its readers are made of, so that rows which other readers parsed are not taken for theirs.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use mteb_fingerprint::{Fingerprint, packages_below};

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    println!("cargo::rerun-if-changed={}", root.join("src").display());
    println!("cargo::rerun-if-changed={}", root.join("Cargo.toml").display());
    let mut files = Vec::new();
    collect(&root.join("src"), &mut files)?;
    files.sort();
    let mut fingerprint = Fingerprint::default();
    for file in files {
        fingerprint
            .add_code(&fs::read_to_string(&file)?)
            .map_err(|error| format!("{}: {error}", file.display()))?;
    }
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    fingerprint.add(&version);
    let lock = root.join("../../Cargo.lock");
    // Where the crate is built from its package, its version stands for what it uses.
    let is_member =
        fs::read_to_string(root.join("../../Cargo.toml")).is_ok_and(|text| text.contains("\"host/data\""));
    if is_member && lock.is_file() {
        println!("cargo::rerun-if-changed={}", lock.display());
        packages_below("mteb-data", &fs::read_to_string(&lock)?)
            .iter()
            .for_each(|package| fingerprint.add(package));
    }
    println!("cargo::rustc-env=MTEB_DATA_READERS={:016x}", fingerprint.finish());
    Ok(())
}

/// The sources in `folder` and below, but those of tests.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.file_stem().is_some_and(|name| name == "tests") {
            continue;
        }
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

//! `cargo xtask import`: writes what the installed reference says of its tasks, benchmarks and models into the project.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::command::{root, status, target_folder};

/// What an import writes whole: files that it no longer writes go.
const FOLDERS: [&str; 2] = ["registries/mteb", "registries/models/mteb"];

/// Writes the cards, or with `--check` fails where they are not those that an import writes.
pub fn import(args: &[String]) -> Result<ExitCode, String> {
    let (mut python, mut check) = (std::env::var_os("MTEB_REFERENCE").map(PathBuf::from), false);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match (arg.as_str(), &mut args) {
            ("--check", _) => check = true,
            ("--python", rest) => python = rest.next().map(PathBuf::from),
            _ => return Err("usage: cargo xtask import [--check] [--python FILE]".to_owned()),
        }
    }
    let python = python.ok_or(
        "expected a Python in which mteb 2.26.24 is installed, found none; name it with `--python FILE` or MTEB_REFERENCE",
    )?;
    let imported = run_import(&python)?;
    let changes = changes(&imported)?;
    if check {
        return match changes.first() {
            None => Ok(ExitCode::SUCCESS),
            Some((path, _)) => Err(format!(
                "{} files differ from those of the reference, the first is {}; run `cargo xtask import`",
                changes.len(),
                path.display()
            )),
        };
    }
    for (path, text) in &changes {
        write(path, text.as_deref())?;
    }
    println!("{} files, of which {} changed", imported.len(), changes.len());
    Ok(ExitCode::SUCCESS)
}

/// Fails if the imported files are not those of the reference that MTEB_REFERENCE names; without it nothing is compared.
pub fn check() -> Result<(), String> {
    if std::env::var_os("MTEB_REFERENCE").is_none() {
        println!("the imported cards were not compared: MTEB_REFERENCE names no Python with mteb 2.26.24");
        return Ok(());
    }
    import(&["--check".to_owned()]).map(drop)
}

/// The files that an import writes, by their path in the project.
fn run_import(python: &Path) -> Result<BTreeMap<PathBuf, String>, String> {
    let output = target_folder().join("import");
    let cannot = |error: std::io::Error| format!("{}: {error}", output.display());
    if output.exists() {
        fs::remove_dir_all(&output).map_err(cannot)?;
    }
    fs::create_dir_all(&output).map_err(cannot)?;
    let mut command = Command::new(python);
    command.arg(root().join("xtask/import")).arg(root().join("registries")).arg(&output);
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    if !status(&mut command)?.success() {
        return Err("the reference could not be read".to_owned());
    }
    let mut files = BTreeMap::new();
    collect(&output, &output, &mut files)?;
    Ok(files)
}

/// What differs from the project: the path and what is to be there, `None` for a file that is to go.
fn changes(imported: &BTreeMap<PathBuf, String>) -> Result<Vec<(PathBuf, Option<String>)>, String> {
    let mut found = BTreeMap::new();
    for folder in FOLDERS.map(|folder| root().join(folder)) {
        if folder.is_dir() {
            collect(&folder, &root(), &mut found)?;
        }
    }
    let gone = found.into_keys().filter(|path| !imported.contains_key(path)).map(|path| (path, None));
    let differs =
        |path: &Path, text: &str| fs::read_to_string(root().join(path)).map_or(true, |found| found != *text);
    let new = imported.iter().filter(|(path, text)| differs(path, text));
    Ok(gone.chain(new.map(|(path, text)| (path.clone(), Some(text.clone())))).collect())
}

fn collect(folder: &Path, base: &Path, files: &mut BTreeMap<PathBuf, String>) -> Result<(), String> {
    let cannot = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        if path.is_dir() {
            collect(&path, base, files)?;
        } else if let Ok(name) = path.strip_prefix(base) {
            files.insert(name.to_owned(), fs::read_to_string(&path).map_err(cannot)?);
        }
    }
    Ok(())
}

fn write(path: &Path, text: Option<&str>) -> Result<(), String> {
    let path = root().join(path);
    let cannot = |error: std::io::Error| format!("cannot write {}: {error}", path.display());
    let Some(text) = text else { return fs::remove_file(&path).map_err(cannot) };
    fs::create_dir_all(path.parent().unwrap_or(&path)).map_err(cannot)?;
    fs::write(&path, text).map_err(cannot)
}

//! The build script of plugins that are part of the host. It tells them a hash of what shapes their numbers: their own sources and data,
//! the sources of the project's crates that they use, and the locked versions of all others. A build that changes none of them is the
//! same plugin to the host, whatever else is built again. Models whose version says it have it there, as `0.1.0+sources.0123456789abcdef`.
//! The plugin interface is left out: it passes texts and rows on as they are.
//!
//! A package that was published has no other crates beside it: the hash of its release lies in it.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use toml::{Table, Value};

/// The crate of the plugin interface.
const INTERFACE: &str = "mteb-plugin-api";

/// Has cargo run a build script again once `path` changes; others may compute a hash, too.
fn watch(path: &Path) {
    if std::env::var_os("OUT_DIR").is_some() {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}

type Fallible<T> = Result<T, Box<dyn Error>>;

/// What a plugin holds beside its sources.
const CONTENTS: [&str; 5] = ["cards", "data", "editions", "graded", "python"];

/// Where `cargo xtask packages` writes the hash for a package.
pub const RELEASED: &str = "sources.txt";

fn main() -> Fallible<()> {
    tell()
}

/// Says the hash and the version to the crate, and that it is a part of the host.
///
/// # Errors
/// If something of it cannot be read.
pub fn tell() -> Fallible<()> {
    let package = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    let version = std::env::var("CARGO_PKG_VERSION")?;
    println!("cargo::rustc-check-cfg=cfg(mteb_bundled)");
    println!("cargo::rustc-cfg=mteb_bundled");
    let hash = match workspace(&package)? {
        Some(root) => Some(hash(&root, &package, &std::env::var("CARGO_PKG_NAME")?)?),
        None => read_released(&package),
    };
    // Where nothing says which versions were taken, the host takes its own program for the plugin's code.
    let Some(hash) = hash else {
        println!("cargo::rustc-env=MTEB_PLUGIN_VERSION={version}");
        return Ok(());
    };
    println!("cargo::rustc-env=MTEB_PLUGIN_VERSION={version}+sources.{hash}");
    println!("cargo::rustc-env=MTEB_PLUGIN_SOURCES={hash}");
    Ok(())
}

/// The root of the project, if the package lies in it as one of its members.
fn workspace(package: &Path) -> Fallible<Option<PathBuf>> {
    for root in package.ancestors().skip(1).filter(|folder| folder.join("Cargo.lock").is_file()) {
        let Ok(member) = package.strip_prefix(root) else { continue };
        let Ok(text) = fs::read_to_string(root.join("Cargo.toml")) else { continue };
        let members = text.parse::<Table>()?.get("workspace").and_then(|found| found.get("members").cloned());
        let members = members.as_ref().and_then(Value::as_array).into_iter().flatten();
        if members.filter_map(Value::as_str).any(|name| Path::new(name) == member) {
            return Ok(Some(root.to_owned()));
        }
    }
    Ok(None)
}

/// The hash that a published package holds.
fn read_released(package: &Path) -> Option<String> {
    let file = package.join(RELEASED);
    watch(&file);
    let text = fs::read_to_string(file).ok()?;
    let hash = text.trim();
    (hash.len() == 16 && hash.bytes().all(|digit| digit.is_ascii_hexdigit())).then(|| hash.to_owned())
}

/// The first 16 digits of the hash over the crate `name` in `own_folder`, what it holds, and all that it uses.
///
/// # Errors
/// If something of it cannot be read.
pub fn hash(root: &Path, own_folder: &Path, name: &str) -> Fallible<String> {
    let lock = root.join("Cargo.lock");
    watch(&lock);
    let lock: Table = fs::read_to_string(lock)?.parse()?;
    let packages = lock.get("package").and_then(Value::as_array).ok_or("Cargo.lock: no packages")?;
    let own = own_crates(root)?;
    let (mut seen, mut left) = (BTreeSet::new(), vec![name.to_owned()]);
    let mut parts = BTreeSet::new();
    for contents in CONTENTS.map(|name| own_folder.join(name)).into_iter().filter(|folder| folder.is_dir()) {
        parts.insert(format!(
            "{} {}",
            contents.file_name().unwrap_or_default().display(),
            sources(&contents)?
        ));
    }
    while let Some(entry) = left.pop() {
        let (name, version) = entry.split_once(' ').unwrap_or((&entry, ""));
        if name == INTERFACE || !seen.insert(entry.clone()) {
            continue;
        }
        let text = |package: &Value, key: &str| package.get(key).and_then(Value::as_str).map(str::to_owned);
        let is_it = |package: &&Value| {
            text(package, "name").as_deref() == Some(name)
                && (version.is_empty()
                    || text(package, "version").is_some_and(|found| version.starts_with(&found)))
        };
        let package = packages.iter().find(is_it).ok_or_else(|| format!("Cargo.lock: no package {entry}"))?;
        let needs = package.get("dependencies").and_then(Value::as_array).into_iter().flatten();
        let needs = needs.filter_map(Value::as_str).map(str::to_owned);
        match own.get(name) {
            Some((folder, used)) => {
                parts.insert(format!("{name} {}", sources(&folder.join("src"))?));
                let is_used = |need: &String| used.contains(need.split(' ').next().unwrap_or(need));
                left.extend(needs.filter(is_used));
            }
            None => {
                let fact = |key| text(package, key).unwrap_or_default();
                parts.insert(format!("{name} {} {}", fact("version"), fact("checksum")));
                left.extend(needs);
            }
        }
    }
    let digest = Sha256::digest(parts.into_iter().collect::<Vec<_>>().join("\n"));
    Ok(digest[..8].iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The crates of the project: name = folder, and the names of the crates that its library uses.
fn own_crates(root: &Path) -> Fallible<BTreeMap<String, (PathBuf, BTreeSet<String>)>> {
    let workspace: Table = fs::read_to_string(root.join("Cargo.toml"))?.parse()?;
    let members = workspace.get("workspace").and_then(|workspace| workspace.get("members"));
    let mut crates = BTreeMap::new();
    for member in members.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
        let folder = root.join(member);
        let manifest: Table = fs::read_to_string(folder.join("Cargo.toml"))?.parse()?;
        let name = manifest.get("package").and_then(|package| package.get("name")).and_then(Value::as_str);
        let used = manifest.get("dependencies").and_then(Value::as_table);
        let used = used.into_iter().flat_map(|used| used.keys().cloned()).collect();
        crates.insert(name.ok_or("Cargo.toml: no name")?.to_owned(), (folder, used));
    }
    Ok(crates)
}

/// Hash over the names and contents of all files in `folder`.
fn sources(folder: &Path) -> Fallible<String> {
    watch(folder);
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    files.sort();
    let mut hasher = Sha256::new();
    for file in files {
        let name = file.strip_prefix(folder)?.to_string_lossy().into_owned();
        for part in [name.as_bytes(), &fs::read(&file)?] {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Fallible<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.ends_with("__pycache__") {
            continue;
        }
        if path.is_dir() { collect(&path, files)? } else { files.push(path) }
    }
    Ok(())
}

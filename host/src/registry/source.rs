//! Where registries are: in the binary, in folders, or a file that the user names.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::Fault;
use super::embedded::FILES;
use super::lock::is_lock;
use crate::settings::data_dir;

/// A registry file that is not read yet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RegistrySource {
    /// Part of the binary; path below `registries/`.
    Embedded(&'static str),
    /// A file.
    File(PathBuf),
}

/// A text and the name by which messages speak of it.
#[derive(Clone, Debug)]
pub struct Text {
    /// File name for messages.
    pub file: String,
    /// Content.
    pub text: String,
    /// The file, unless it is part of the binary.
    pub path: Option<PathBuf>,
}

impl RegistrySource {
    /// Reads the registry's text.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read(&self) -> Result<Text, Fault> {
        match self {
            Self::Embedded(name) => Ok(embedded(name)),
            Self::File(path) => read_file(path),
        }
    }

    /// Reads the cards that `entry` of this registry names: a file, or every TOML file of a folder.
    ///
    /// # Errors
    /// If there is no such file or folder, or a file cannot be read.
    pub fn cards(&self, entry: &str) -> Result<Vec<Text>, Fault> {
        match self {
            Self::Embedded(name) => embedded_cards(name, entry),
            Self::File(path) => file_cards(&path.parent().unwrap_or(Path::new("")).join(entry)),
        }
    }
}

/// Every registry that can be named, by name: those of folders hide those of the binary.
pub fn known_registries() -> BTreeMap<String, RegistrySource> {
    let mut known = BTreeMap::new();
    for (name, _) in FILES {
        if let Some(stem) =
            name.strip_suffix(".toml").filter(|stem| !stem.contains('/') && !stem.ends_with(".lock"))
        {
            known.insert(stem.to_owned(), RegistrySource::Embedded(name));
        }
    }
    for folder in folders().iter().rev() {
        for path in toml_files(folder).unwrap_or_default() {
            if let Some(stem) = path.file_stem() {
                known.insert(stem.to_string_lossy().into_owned(), RegistrySource::File(path));
            }
        }
    }
    known
}

/// The registry that `name` stands for: a file if it ends in `.toml` or has a folder in it, else a name.
///
/// # Errors
/// If there is none.
pub fn registry_named(name: &str) -> Result<RegistrySource, Fault> {
    if name.ends_with(".toml") || name.contains('/') {
        let path = PathBuf::from(name);
        return if path.is_file() {
            Ok(RegistrySource::File(path))
        } else {
            Err(Fault::of_file(name, "expected a registry or card file, found no such file"))
        };
    }
    let mut known = known_registries();
    known.remove(name).ok_or_else(|| {
        let names = known.into_keys().collect::<Vec<_>>().join(", ");
        Fault::of_file(
            name,
            format!("expected the name of a registry or a file, found neither; known are: {names}"),
        )
    })
}

/// Folders that may hold registries, in order of precedence.
fn folders() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = Vec::new();
    if let Some(paths) = std::env::var_os("MTEB_HOST_REGISTRIES") {
        folders.extend(std::env::split_paths(&paths).filter(|path| !path.as_os_str().is_empty()));
    }
    folders.push(data_dir().join("registries"));
    folders
}

/// Content of the file of the binary called `name`.
pub fn embedded_text(name: &str) -> Option<&'static str> {
    FILES.iter().find(|(found, _)| *found == name).map(|(_, text)| *text)
}

fn embedded(name: &str) -> Text {
    let text = embedded_text(name).unwrap_or_default().to_owned();
    Text { file: format!("registries/{name}"), text, path: None }
}

fn embedded_cards(registry: &str, entry: &str) -> Result<Vec<Text>, Fault> {
    let folder = format!("{}/", entry.trim_end_matches('/'));
    let found: Vec<Text> = FILES
        .iter()
        .filter(|(name, _)| *name == entry || name.starts_with(&folder))
        .map(|(name, _)| embedded(name))
        .collect();
    if found.is_empty() {
        let message = format!("expected a card file or a folder of cards, found no such entry: {entry}");
        return Err(Fault::of_file(format!("registries/{registry}"), message));
    }
    Ok(found)
}

fn file_cards(path: &Path) -> Result<Vec<Text>, Fault> {
    if path.is_dir() {
        let files = toml_files(path).map_err(|error| cannot_read(path, &error))?;
        return files.iter().map(|file| read_file(file)).collect();
    }
    Ok(vec![read_file(path)?])
}

fn toml_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "toml") && !is_lock(&path) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn read_file(path: &Path) -> Result<Text, Fault> {
    let text = fs::read_to_string(path).map_err(|error| cannot_read(path, &error))?;
    Ok(Text { file: path.display().to_string(), text, path: Some(path.to_owned()) })
}

fn cannot_read(path: &Path, error: &std::io::Error) -> Fault {
    Fault::of_file(path.display().to_string(), format!("cannot read the file: {error}"))
}

//! Where registries are: in the binary, in folders, or a file that the user names.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::Fault;
use super::embedded::FILES;
use super::lock::is_lock;
use crate::settings::data_dir;

/// The folder of the model cards beside registries.
const MODELS: &str = "models";

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
    pub text: Cow<'static, str>,
    /// The file, unless it is part of the binary.
    pub path: Option<PathBuf>,
    /// The content as JSON, of a file that is part of the binary.
    pub json: Option<&'static str>,
}

impl Text {
    /// A text that is neither a file nor part of the binary.
    pub fn new(file: String, text: String) -> Self {
        Self { file, text: text.into(), path: None, json: None }
    }

    /// Reads the card of the task `name` beside this one; `None` if there is none.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn beside(&self, name: &str) -> Result<Option<Self>, Fault> {
        let file = format!("{name}.toml");
        match &self.path {
            Some(path) => {
                let path = path.with_file_name(file);
                path.is_file().then(|| read_file(&path)).transpose()
            }
            None => {
                let own = self.file.strip_prefix("registries/").unwrap_or(&self.file);
                Ok(embedded(&Path::new(own).with_file_name(file).to_string_lossy()))
            }
        }
    }

    /// Reads the content.
    ///
    /// # Errors
    /// If it is no TOML, or has another form than `T`.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, toml::de::Error> {
        let fast = self.json.and_then(|json| serde_json::from_str(json).ok());
        fast.map_or_else(|| toml::from_str(&self.text), Ok)
    }
}

impl RegistrySource {
    /// Reads the registry's text.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read(&self) -> Result<Text, Fault> {
        match self {
            Self::Embedded(name) => embedded(name).ok_or_else(|| {
                Fault::of_file(*name, "expected a file that is part of the binary, found none")
            }),
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

    /// Reads the card of the task `name` from the file or folder `entry`: the card of a task in a folder is the file
    /// `Name.toml`. `None` if it is not there.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn card(&self, entry: &str, name: &str) -> Result<Option<Text>, Fault> {
        let file = format!("{name}.toml");
        let in_folder = Path::new(entry).join(&file);
        match self {
            Self::Embedded(_) => {
                let known = |path: &Path| embedded(&path.to_string_lossy());
                let lone = || Path::new(entry).ends_with(&file).then(|| known(Path::new(entry))).flatten();
                Ok(known(&in_folder).or_else(lone))
            }
            Self::File(path) => {
                let folder = path.parent().unwrap_or(Path::new(""));
                let lone = Path::new(entry).ends_with(&file).then(|| folder.join(entry));
                let mut files = [Some(folder.join(in_folder)), lone].into_iter().flatten();
                files.find(|file| file.is_file()).map(|file| read_file(&file)).transpose()
            }
        }
    }
}

/// Every registry that can be named, by name: those of folders hide those of the binary.
pub fn known_registries() -> BTreeMap<String, RegistrySource> {
    let mut known = BTreeMap::new();
    for (name, _, _) in FILES {
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
        return match mteb_files::check(&path) {
            Ok(()) => Ok(RegistrySource::File(path)),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                Err(Fault::of_file(name, "expected a registry or card file, found no such file"))
            }
            Err(error) => Err(cannot_read(&path, &error)),
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

/// The model card in the file called `file`: of the first folder that has it, else of the binary.
///
/// # Errors
/// If the file cannot be read.
pub fn model_card_text(file: &str) -> Result<Option<Text>, Fault> {
    let mut paths = folders().into_iter().map(|folder| folder.join(MODELS).join(file));
    match paths.find(|path| path.is_file()) {
        Some(path) => read_file(&path).map(Some),
        None => Ok(embedded(&format!("{MODELS}/{file}"))),
    }
}

/// The names of the files of all model cards.
pub fn model_card_files() -> BTreeSet<String> {
    let own = FILES
        .iter()
        .filter_map(|(name, _, _)| Some(name.strip_prefix(MODELS)?.strip_prefix('/')?.to_owned()));
    let found = folders().into_iter().flat_map(|folder| toml_files(&folder.join(MODELS)).unwrap_or_default());
    let found = found.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()));
    own.chain(found).collect()
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
    embedded_file(name).map(|(_, text, _)| text)
}

fn embedded_file(name: &str) -> Option<(&'static str, &'static str, Option<&'static str>)> {
    let index = FILES.binary_search_by_key(&name, |(found, _, _)| *found).ok()?;
    FILES.get(index).copied()
}

fn embedded(name: &str) -> Option<Text> {
    let (name, text, json) = embedded_file(name)?;
    Some(Text { file: format!("registries/{name}"), text: text.into(), path: None, json })
}

fn embedded_cards(registry: &str, entry: &str) -> Result<Vec<Text>, Fault> {
    let folder = format!("{}/", entry.trim_end_matches('/'));
    let found: Vec<Text> = FILES
        .iter()
        .filter(|(name, _, _)| *name == entry || name.starts_with(&folder))
        .filter_map(|(name, _, _)| embedded(name))
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
    let text =
        mteb_files::read_to_string(path, mteb_files::TEXT).map_err(|error| cannot_read(path, &error))?;
    let file = path.display().to_string();
    Ok(Text { file, text: text.into(), path: Some(path.to_owned()), json: None })
}

fn cannot_read(path: &Path, error: &std::io::Error) -> Fault {
    Fault::of_file(path.display().to_string(), format!("cannot read the file: {error}"))
}

//! The source of a registry and its cards: files, or parts of the binary. `named.rs` finds a
//! registry by its name.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use mteb_base::suggest::hint;
use mteb_card::{Registry, TaskCard};

use super::folder::{is_page_language, plain_path, toml_files_below};
use super::text::{MODELS, Text, cannot_read, is_card, is_model_card, read_text, stays_inside};
use crate::{Fault, embedded};

/// The folders of the cards of the binary: those written by hand, then those of the reference.
const CARDS: [&str; 2] = ["cards", "mteb"];

/// A registry file that is not read yet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RegistrySource {
    /// Part of the binary; path below `registries/`.
    Embedded(&'static str),
    /// A file.
    File(PathBuf),
}

impl RegistrySource {
    /// Its file as messages name it.
    pub fn label(&self) -> String {
        match self {
            Self::Embedded(name) => format!("registries/{name}"),
            Self::File(path) => path.display().to_string(),
        }
    }

    /// Reads the registry's text.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read(&self) -> Result<Text, Fault> {
        match self {
            Self::Embedded(name) => find_embedded(name).ok_or_else(|| {
                Fault::of_file(*name, "expected a file that is part of the program, found none")
            }),
            Self::File(path) => read_text(path),
        }
    }

    /// Reads the cards that `entry` of this registry names: a file, or every TOML file of a folder
    /// and of the folders in it, without this registry's own file and model cards.
    ///
    /// # Errors
    /// If there is no such file or folder, or a file cannot be read.
    pub fn cards(&self, entry: &str) -> Result<Vec<Text>, Fault> {
        match self {
            Self::Embedded(name) => embedded_cards(name, entry),
            Self::File(path) => {
                file_cards(path, &plain_path(&path.parent().unwrap_or(Path::new("")).join(entry)))
            }
        }
    }

    /// Reads the card of the task `name` from the file or folder `entry`: the card of a task in a
    /// folder, or in a folder in it, is the file `Name.toml`. `None` if it is not there; `name` is
    /// no path.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn card(&self, entry: &str, name: &str, folders: &mut CardFolders) -> Result<Option<Text>, Fault> {
        let file = format!("{name}.toml");
        match self {
            Self::Embedded(_) => {
                let lone = || Path::new(entry).ends_with(&file).then(|| find_embedded(entry)).flatten();
                Ok(embedded::file_below(entry, &file).map(Text::embedded).or_else(lone))
            }
            Self::File(path) => {
                let folder = path.parent().unwrap_or(Path::new(""));
                let lone = Path::new(entry).ends_with(&file).then(|| folder.join(entry));
                let mut files = [Some(folder.join(entry).join(&file)), lone].into_iter().flatten();
                let found =
                    files.find(|file| file.is_file()).or_else(|| folders.find(&folder.join(entry), &file));
                let inside = |file: PathBuf| stays_inside(path, &file).and_then(|()| read_text(&file));
                found.map(inside).transpose()
            }
        }
    }

    /// The same registry by its one name, links followed.
    pub fn canonical(&self) -> Self {
        match self {
            Self::Embedded(name) => Self::Embedded(name),
            Self::File(path) => Self::File(path.canonicalize().unwrap_or_else(|_| path.clone())),
        }
    }

    /// The names that the cards of a registry have by their files, for messages.
    pub fn card_names(&self, registry: &Registry) -> Vec<String> {
        let texts = registry.cards.iter().filter_map(|entry| self.cards(entry).ok()).flatten();
        let texts = texts.filter(|text| text.path.is_none() || !text.is_registry());
        let stem = |text: Text| Some(Path::new(&text.file).file_stem()?.to_string_lossy().into_owned());
        texts.filter_map(stem).collect()
    }
}

/// The TOML files of folders by their names, so that a folder is looked through once, however many
/// cards it has.
#[derive(Debug, Default)]
pub struct CardFolders(HashMap<PathBuf, HashMap<OsString, PathBuf>>);

impl CardFolders {
    /// The file called `name` in `folder` or below; of several the first.
    fn find(&mut self, folder: &Path, name: &str) -> Option<PathBuf> {
        let files = self.0.entry(folder.to_owned()).or_insert_with(|| {
            let files = toml_files_below(folder).unwrap_or_default();
            // The map is filled in reverse order, so that the first file of each name remains.
            files
                .into_iter()
                .rev()
                .filter_map(|path| Some((path.file_name()?.to_owned(), path.clone())))
                .collect()
        });
        files.get(OsStr::new(name)).cloned()
    }
}

/// The model card of the binary in the file called `file`.
pub fn embedded_model_card(file: &str) -> Option<Text> {
    embedded::file_below(MODELS, file).map(Text::embedded)
}

/// The model cards of the binary, each with the name of its file.
pub fn embedded_model_cards() -> impl Iterator<Item = (String, Text)> {
    embedded::files_below(MODELS).map(|file| (file.name().to_owned(), Text::embedded(file)))
}

/// Content of the file of the binary called `name`.
pub fn embedded_text(name: &str) -> Option<&'static str> {
    embedded::file(name).map(embedded::File::text)
}

/// The card of the task `name` that is part of the binary.
pub fn embedded_card(name: &str) -> Option<TaskCard> {
    let file = format!("{name}.toml");
    let found = CARDS.iter().find_map(|folder| embedded::file_below(folder, &file))?;
    Text::embedded(found).parse().ok()
}

/// The cards of all tasks of the binary.
pub fn embedded_cards_of_tasks() -> impl Iterator<Item = Text> {
    task_files().map(Text::embedded)
}

fn task_files() -> impl Iterator<Item = embedded::File> {
    CARDS.iter().flat_map(|folder| embedded::files_below(folder))
}

/// The names of the tasks of the binary, for messages.
pub fn embedded_card_names() -> Vec<String> {
    task_files().map(|file| file.name().trim_end_matches(".toml").to_owned()).collect()
}

/// The names of the models that have a card in the binary, for messages.
pub fn embedded_model_names() -> Vec<String> {
    let files = embedded::files_below(MODELS);
    files.map(|file| file.name().trim_end_matches(".toml").replacen("__", "/", 1)).collect()
}

fn find_embedded(name: &str) -> Option<Text> {
    embedded::file(name).map(Text::embedded)
}

fn embedded_cards(registry: &str, entry: &str) -> Result<Vec<Text>, Fault> {
    let lone = embedded::file(entry).into_iter();
    let found: Vec<Text> = lone.chain(embedded::files_below(entry)).map(Text::embedded).collect();
    if found.is_empty() {
        let message = format!("expected a card file or a folder of cards, found no such entry: {entry}");
        return Err(Fault::of_file(format!("registries/{registry}"), message));
    }
    Ok(found)
}

/// The fault that nothing is where cards are said to be.
fn no_cards(path: &Path) -> Fault {
    let beside = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let beside = fs::read_dir(beside).into_iter().flatten().flatten().map(|entry| entry.path());
    let may_be = |path: &PathBuf| path.is_dir() || path.extension().is_some_and(|ending| ending == "toml");
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut names: Vec<String> = beside.filter(may_be).map(|path| name(&path)).collect();
    names.sort();
    let near = hint(&name(path), names.iter().map(String::as_str), "");
    let message = format!("expected a card file or a folder of cards, found nothing there{near}");
    Fault::of_file(path.display().to_string(), message)
}

fn file_cards(registry: &Path, path: &Path) -> Result<Vec<Text>, Fault> {
    stays_inside(registry, path)?;
    if path.symlink_metadata().is_err_and(|error| error.kind() == ErrorKind::NotFound) {
        return Err(no_cards(path));
    }
    if !path.is_dir() {
        return Ok(vec![read_text(path)?]);
    }
    let own = registry.canonicalize().ok();
    let files = toml_files_below(path).map_err(|error| cannot_read(path, &error))?;
    // The file may be a link, or a folder on the way to it.
    files.iter().try_for_each(|file| stays_inside(registry, file))?;
    let others = files.iter().filter(|file| own.is_none() || file.canonicalize().ok() != own);
    let texts: Vec<Text> = others.map(|file| read_text(file)).collect::<Result<_, _>>()?;
    let is_model = |text: &Text| text.path.as_deref().is_some_and(is_model_card) && !is_card(text);
    Ok(texts.into_iter().filter(|text| !is_model(text) && !is_page_language(text)).collect())
}

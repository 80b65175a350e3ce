//! The registry that a name stands for: in the program, in folders of registries, or a file.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use mteb_base::suggest::{hint, near, some};
use mteb_base::user_folders::data_dir;
use mteb_data::is_readable;

use super::folder::{has_toml_one_below, toml_files};
use super::source::{RegistrySource, embedded_text};
use super::text::{MODELS, cannot_read, is_card, read_text};
use crate::git::{is_git_address, registry_at};
use crate::{Fault, embedded};

/// The name of the registry of the binary that `source`, a file in a folder of registries, hides;
/// `None` if it hides none.
pub fn hidden_registry(source: &RegistrySource) -> Option<String> {
    let RegistrySource::File(path) = source else { return None };
    let stem = path.file_stem()?.to_string_lossy().into_owned();
    let is_named =
        path.parent().is_some_and(|parent| registry_folders().iter().any(|folder| folder == parent));
    (is_named && embedded_text(&format!("{stem}.toml")).is_some()).then_some(stem)
}

/// The registry that `home` includes as `name`: a file beside `home` goes before one of the current
/// folder.
///
/// # Errors
/// If there is none.
pub fn find_included(home: &RegistrySource, name: &str) -> Result<RegistrySource, Fault> {
    if is_git_address(name) {
        let message = "expected the name of a registry or a file, found a git address, which the command line alone may \
                       name; pass it with `--registry`";
        return Err(Fault::of_file(name, message));
    }
    let RegistrySource::File(path) = home else { return find(name, None) };
    if is_file_name(name) {
        let beside = path.parent().unwrap_or(Path::new("")).join(name);
        if beside.is_file() {
            return Ok(RegistrySource::File(beside));
        }
    }
    find(name, Some(path))
}

fn is_file_name(name: &str) -> bool {
    name.ends_with(".toml") || name.contains('/')
}

/// Every registry that can be named, in the order of precedence: those of folders before those of
/// the binary, which they hide where they have the same name.
pub fn known_registries() -> Vec<(String, RegistrySource)> {
    let mut known: Vec<(String, RegistrySource)> = Vec::new();
    let mut add = |stem: &str, source: RegistrySource| {
        if known.iter().all(|(name, _)| name != stem) {
            known.push((stem.to_owned(), source));
        }
    };
    for path in registry_folders().iter().flat_map(|folder| toml_files(folder).unwrap_or_default()) {
        if let Some(stem) = path.file_stem() {
            add(&stem.to_string_lossy(), RegistrySource::File(path.clone()));
        }
    }
    let own = embedded::files().map(embedded::File::path);
    let own = own.filter_map(|name| Some((name.strip_suffix(".toml")?, name)));
    let own = own.filter(|(stem, _)| !stem.contains('/') && !stem.ends_with(".lock"));
    for (stem, name) in own.collect::<BTreeMap<&str, &'static str>>() {
        add(stem, RegistrySource::Embedded(name));
    }
    known
}

/// The registry that `name` stands for: one of a git repository if it is an address, a file if it
/// ends in `.toml` or has a folder in it, else a name.
///
/// # Errors
/// If there is none.
pub fn find_registry(name: &str) -> Result<RegistrySource, Fault> {
    if is_git_address(name) { registry_at(name) } else { find(name, None) }
}

/// The registry that `name` stands for. If the registry in the file `home` includes it, `home`
/// itself is not considered.
fn find(name: &str, home: Option<&Path>) -> Result<RegistrySource, Fault> {
    if is_readable(name) && Path::new(name).is_file() {
        return Err(data_instead(name));
    }
    if is_file_name(name) {
        let path = PathBuf::from(name);
        return match mteb_files::check(&path) {
            Ok(()) => Ok(RegistrySource::File(path)),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let beside = path.parent().filter(|folder| !folder.as_os_str().is_empty());
                let files = file_names(beside.unwrap_or(Path::new(".")), home);
                let own = path.file_name().unwrap_or_default().to_string_lossy();
                let near = hint(&own, files.iter().map(String::as_str), "");
                Err(Fault::of_file(
                    name,
                    format!("expected a registry or card file, found no such file{near}"),
                ))
            }
            Err(_) if path.is_dir() => Err(folder_instead(name)),
            Err(error) => Err(cannot_read(&path, &error)),
        };
    }
    if name == "." || name == ".." {
        return Err(folder_instead(name));
    }
    let known = known_registries();
    let found = known.iter().find(|(stem, _)| stem == name).map(|(_, source)| source.clone());
    let found = match found {
        None => find_named(name, &known)?,
        found => found,
    };
    if let Err(error) = mteb_files::check(Path::new(name))
        && found.is_none()
        && error.kind() != ErrorKind::NotFound
    {
        return Err(cannot_read(Path::new(name), &error));
    }
    found.ok_or_else(|| {
        let asking = home.map(|home| RegistrySource::File(home.to_owned()).canonical());
        let others = || known.iter().filter(|(_, source)| Some(source.canonical()) != asking);
        let own = others().filter_map(|(stem, source)| own_name(source).filter(|name| name != stem));
        let own: Vec<String> = own.collect();
        let names = || others().map(|(stem, _)| stem).chain(&own).map(String::as_str);
        let beside = home.and_then(Path::parent).filter(|folder| !folder.as_os_str().is_empty());
        let files = file_names(beside.unwrap_or(Path::new(".")), home);
        let near = near_registries(name, names(), &files);
        let names = names().collect::<Vec<_>>().join(", ");
        let message =
            format!("expected the name of a registry or a file, found neither{near}; known are: {names}");
        Fault::of_file(name, message)
    })
}

/// The registry of a folder whose file says that it is called `name`, whatever the file is called;
/// `None` if there is none.
///
/// # Errors
/// If there are several.
fn find_named(name: &str, known: &[(String, RegistrySource)]) -> Result<Option<RegistrySource>, Fault> {
    let all = known.iter().map(|(_, source)| source);
    let all: Vec<&RegistrySource> = all.filter(|source| own_name(source).as_deref() == Some(name)).collect();
    match all.as_slice() {
        [_, _, ..] => {
            let files: Vec<String> = all.iter().map(|source| source.label()).collect();
            let message = format!(
                "expected the name of one registry, found that of {}; name one of these files",
                files.join(", ")
            );
            Err(Fault::of_file(name, message))
        }
        found => Ok(found.first().map(|source| (*source).clone())),
    }
}

/// The name that the file of a registry says it has; `None` of one of the binary, which is called
/// as its file, and of what is no registry.
fn own_name(source: &RegistrySource) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Head {
        name: String,
    }
    let RegistrySource::File(path) = source else { return None };
    let text = read_text(path).ok().filter(|text| !is_card(text))?;
    toml::from_str(text.text()).ok().map(|head: Head| head.name)
}

/// The registries in `folder` that say they are called `name`, if it is one of the folders in which
/// registries are found by name.
pub fn registries_in(folder: &Path, name: &str) -> Vec<PathBuf> {
    if !registry_folders().iter().any(|known| known == folder) {
        return Vec::new();
    }
    let files = toml_files(folder).unwrap_or_default().into_iter().map(RegistrySource::File);
    let called = files.filter(|source| own_name(source).as_deref() == Some(name));
    called.map(|source| PathBuf::from(source.label())).collect()
}

/// The error that `name` is a folder although a file is required.
fn folder_instead(name: &str) -> Fault {
    let message = "expected a registry or card file, found a folder; name a file in it, such as \
                   `FOLDER/registry.toml` (`cards = [\".\"]` in a registry includes all cards below it)";
    Fault::of_file(name, message)
}

/// Folders that may hold registries, in order of precedence.
pub fn registry_folders() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = Vec::new();
    if let Some(paths) = std::env::var_os("MTEB_HOST_REGISTRIES") {
        folders.extend(std::env::split_paths(&paths).filter(|path| !path.as_os_str().is_empty()));
    }
    folders.push(data_dir().join("registries"));
    folders
}

/// One line per folder of `MTEB_HOST_REGISTRIES` that contains no registry.
pub fn folder_warnings() -> Vec<String> {
    let paths = std::env::var_os("MTEB_HOST_REGISTRIES").unwrap_or_default();
    let warning = |folder: PathBuf| {
        let found = match toml_files(&folder) {
            Ok(files) if !files.is_empty() => return None,
            // A folder may hold cards of models alone.
            Ok(_) if folder.join(MODELS).is_dir() => return None,
            Ok(_) if has_toml_one_below(&folder) => "none except in subfolders, which are not searched",
            Ok(_) => "none",
            Err(error) if error.kind() == ErrorKind::NotFound => "no such folder",
            Err(_) => "a folder that cannot be read",
        };
        let folder = folder.display();
        Some(format!(
            "`MTEB_HOST_REGISTRIES`: expected a folder with registries (`NAME.toml`), found {found}: {folder}"
        ))
    };
    std::env::split_paths(&paths).filter(|path| !path.as_os_str().is_empty()).filter_map(warning).collect()
}

/// The fault that a file of data stands where its card is meant.
fn data_instead(name: &str) -> Fault {
    let beside = Path::new(name).parent().filter(|folder| !folder.as_os_str().is_empty());
    let cards = file_names(beside.unwrap_or(Path::new(".")), None);
    let cards = match cards.as_slice() {
        [] => String::new(),
        cards => format!(" (next to it: {})", some(cards.iter().map(String::as_str))),
    };
    let message = format!(
        "expected a card or a registry (TOML), found a data file by its suffix; name the card whose `path` \
         leads to it{cards}"
    );
    Fault::of_file(name, message)
}

/// What follows the name of a registry that is not there: names near it, and files of the current
/// folder whose names are near it without their ending.
fn near_registries<'a>(name: &str, known: impl Iterator<Item = &'a str>, files: &[String]) -> String {
    let stems: Vec<&str> = files.iter().filter_map(|file| file.strip_suffix(".toml")).collect();
    let mut shown: Vec<String> = near(name, stems).iter().map(|stem| format!("{stem}.toml")).collect();
    shown.extend(near(name, known).into_iter().map(str::to_owned));
    if shown.is_empty() { String::new() } else { format!(" (near it: {})", shown.join(", ")) }
}

/// The TOML files of a folder by their names, for messages, without the one that asks.
fn file_names(folder: &Path, without: Option<&Path>) -> Vec<String> {
    let is_other =
        |file: &&PathBuf| without.is_none_or(|own| file.canonicalize().ok() != own.canonicalize().ok());
    let files = toml_files(folder).unwrap_or_default();
    let names = files.iter().filter(is_other).filter_map(|file| file.file_name());
    names.map(|name| name.to_string_lossy().into_owned()).collect()
}

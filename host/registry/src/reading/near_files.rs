//! What a message names where the name of a registry leads to no registry: files beside it, and names near it.

use std::path::{Path, PathBuf};

use mteb_base::suggest::{near, some};

use super::folder::toml_files;
use crate::Fault;

/// The fault that a file of data stands where its card is meant.
pub fn data_instead(name: &str) -> Fault {
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

/// What follows the name of a registry that is not there: names near it, and files of the current folder whose names are near it
/// without their ending.
pub fn near_registries<'a>(name: &str, known: impl Iterator<Item = &'a str>, files: &[String]) -> String {
    let stems: Vec<&str> = files.iter().filter_map(|file| file.strip_suffix(".toml")).collect();
    let mut shown: Vec<String> = near(name, stems).iter().map(|stem| format!("{stem}.toml")).collect();
    shown.extend(near(name, known).into_iter().map(str::to_owned));
    if shown.is_empty() { String::new() } else { format!(" (near it: {})", shown.join(", ")) }
}

/// The TOML files of a folder by their names, for messages, without the one that asks.
pub fn file_names(folder: &Path, without: Option<&Path>) -> Vec<String> {
    let is_other =
        |file: &&PathBuf| without.is_none_or(|own| file.canonicalize().ok() != own.canonicalize().ok());
    let files = toml_files(folder).unwrap_or_default();
    let names = files.iter().filter(is_other).filter_map(|file| file.file_name());
    names.map(|name| name.to_string_lossy().into_owned()).collect()
}

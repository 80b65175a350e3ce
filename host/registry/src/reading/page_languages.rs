//! Files with the texts of pages in one more language, in the folder `page` beside a registry.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::folder::toml_files;
use super::text::{Text, is_card, read_text};
use crate::Fault;

/// The folder of the languages beside registries.
const PAGE: &str = "page";

/// The files beside the registry in `file`, sorted; none where it is part of the binary.
pub fn page_languages_beside(file: &Path) -> Vec<PathBuf> {
    if !file.is_file() {
        return Vec::new();
    }
    let beside = file.parent().unwrap_or(Path::new("")).join(PAGE);
    let files = toml_files(&beside).unwrap_or_default();
    // A folder of this name may hold cards.
    files.into_iter().filter(|file| !read_text(file).is_ok_and(|text| is_card(&text))).collect()
}

/// Reads such a file.
///
/// # Errors
/// If it is no regular file, too large, or no text.
pub fn read_page_language(file: &Path) -> Result<Text, Fault> {
    read_text(file)
}

/// True if a text lies where the languages of pages do and holds texts.
pub fn is_page_language(text: &Text) -> bool {
    let folder = text.path.as_deref().and_then(Path::parent).and_then(Path::file_name);
    folder.is_some_and(|name| name == PAGE)
        && !is_card(text)
        && text.parse::<Map<String, Value>>().is_ok_and(|table| table.contains_key("texts"))
}

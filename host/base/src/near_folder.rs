//! What a message names where a folder is not there: folders in its place.

use std::fs;
use std::path::Path;

use crate::suggest::near;

/// What follows the name of a folder that is not there: folders in its place whose names are near it.
pub fn near_folders(folder: &str) -> String {
    let path = Path::new(folder);
    let parent = path.parent().unwrap_or(Path::new(""));
    let place = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
    let folders = fs::read_dir(place).into_iter().flatten().flatten().filter(|entry| entry.path().is_dir());
    let mut names: Vec<String> = folders.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.retain(|name| !name.starts_with('.'));
    names.sort();
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let near = near(name, names.iter().map(String::as_str)).into_iter();
    let near: Vec<String> = near.map(|name| parent.join(name).display().to_string()).collect();
    if near.is_empty() { String::new() } else { format!(" (near it: {})", near.join(", ")) }
}

//! Where a model of sentence-transformers in Python is looked for: in a folder, on the hub, in the hub's cache.

use std::fs;
use std::path::Path;

use super::python::kind_of;
use crate::settings::Settings;
use crate::source::is_repository_name;
use crate::suggest::near;

/// The organisation whose models the library finds without its name.
const OWN: &str = "sentence-transformers";

/// What is wrong with the name `st:NAME` of a model that no folder is and that the hub cannot have; of one that the library may find
/// in the hub's cache nothing. The library would ask the hub for it, which it does not reach.
pub fn nowhere(name: &str, settings: &Settings) -> Option<String> {
    let (_, model) = kind_of(name).filter(|(kind, model)| *kind == "st" && !is_repository_name(model))?;
    let cache = settings.hub_access().cache;
    let is_cached = |repository: String| cache.join(format!("models--{repository}")).is_dir();
    if !model.contains('/') && (is_cached(model.to_owned()) || is_cached(format!("{OWN}--{model}"))) {
        return None;
    }
    let near = near_folders(model);
    Some(format!(
        "expected a folder with a model, or one on the hub as `organisation/name`, found neither: {name}{near}"
    ))
}

/// What follows the name of a folder that is not there: folders in its place whose names are near it.
pub fn near_folders(model: &str) -> String {
    let path = Path::new(model);
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

//! What is near a model that nobody knows: names of others, and the library in Python that may run
//! it.

use std::path::Path;

use mteb_base::suggest::{hint, near};
use mteb_plugin_api::v1::code;
use mteb_registry::ModelCards;
use mteb_workers::plugins::{Catalog, WorkerError};
use serde_json::Value;

use super::python;

/// What follows the name of a model that nobody knows: names near it, or ` (otherwise)`.
pub fn near_models(name: &str, catalog: &Catalog, cards: &ModelCards, otherwise: &str) -> String {
    if let Some(styles) = near_styles(name, catalog) {
        return format!(" (near it: {styles})");
    }
    let (cards, _) = cards.all();
    let brought =
        catalog.plugins.iter().flat_map(|plugin| &plugin.manifest.models).filter(|model| *model != "*");
    let known = brought.map(String::as_str).chain(cards.iter().map(|found| found.card.name.as_str()));
    hint(name, known.filter(|known| *known != name), otherwise)
}

/// The styles, as `python:`, near that with which `name` begins; `None` if it begins with none, with one that a plugin takes, or is
/// a folder.
pub fn near_styles(name: &str, catalog: &Catalog) -> Option<String> {
    let (style, _) = name.split_once(':').filter(|_| !Path::new(name).exists())?;
    let patterns = || catalog.plugins.iter().flat_map(|plugin| &plugin.manifest.models);
    let takes = |pattern: &String| match pattern.strip_suffix('*') {
        Some(begin) => !begin.is_empty() && name.starts_with(begin),
        None => pattern == name,
    };
    let styles = patterns().filter_map(|pattern| pattern.strip_suffix(":*"));
    let near: Vec<String> = near(style, styles).into_iter().map(|style| format!("`{style}:`")).collect();
    (!near.is_empty() && !patterns().any(takes)).then(|| near.join(", "))
}

/// What follows the refusal of the model called `name`, whose files lie in `folder`: nothing, unless a plugin says that it lacks
/// what these files ask for.
pub fn after(refusal: &WorkerError, name: &str, folder: Option<&str>) -> String {
    let folder = folder.filter(|_| python::kind_of(name).is_none());
    match (refusal, folder) {
        (WorkerError::Plugin { error, .. }, Some(folder)) if error.code == code::UNSUPPORTED => {
            let code = if needs_code(Path::new(folder)) {
                " --trust-remote-code`, if you trust its code"
            } else {
                "`"
            };
            format!("; in your Python, sentence-transformers may run it: `--model st:{name}{code}")
        }
        _ => String::new(),
    }
}

/// What may stand in place of the plugin for models of the hub and local folders; nothing where `name` can be neither.
pub fn instead(name: &str) -> String {
    match name.contains('/') || Path::new(name).is_dir() {
        true => format!("; `--model st:{name}` needs sentence-transformers in your Python instead"),
        false => String::new(),
    }
}

/// True if the architecture is code that comes with the files.
fn needs_code(folder: &Path) -> bool {
    let config = mteb_files::read(&folder.join("config.json"), mteb_files::TEXT).ok();
    let config = config.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
    config.is_some_and(|config| config.get("auto_map").is_some_and(|map| !map.is_null()))
}

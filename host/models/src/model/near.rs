//! Names of models near one that nobody knows.

use std::path::Path;

use mteb_base::suggest::{hint, near};
use mteb_registry::ModelCards;
use mteb_workers::plugins::Catalog;

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

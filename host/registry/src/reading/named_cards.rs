//! The cards of the tasks that a registry names, among its files and folders.

use mteb_base::suggest::hint;
use mteb_card::Registry;

use super::source::{CardFolders, RegistrySource};
use super::text::Text;
use crate::Fault;

/// The card of the task `name` among the files and folders that the registry names.
pub fn card_of(
    home: &RegistrySource,
    registry: &Registry,
    name: &str,
    folders: &mut CardFolders,
) -> Result<Text, String> {
    // A path would lead to cards elsewhere.
    if name.contains(['/', '\\']) {
        return Err(format!("expected the name of a task, found a path: {name}"));
    }
    for entry in &registry.cards {
        if let Some(text) = home.card(entry, name, folders).map_err(|fault| fault.to_string())? {
            return Ok(text);
        }
    }
    let near = hint(name, home.card_names(registry).iter().map(String::as_str), "");
    Err(format!("expected the card {name}.toml in `cards` ({}), found none{near}", registry.cards.join(", ")))
}

/// The first entry of `cards` that is no file and no folder, by its place.
pub fn absent_cards(home: &RegistrySource, registry: &Registry) -> Option<(usize, Fault)> {
    let entries = registry.cards.iter().enumerate();
    entries.filter_map(|(place, entry)| Some((place, home.cards(entry).err()?))).next()
}

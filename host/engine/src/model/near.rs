//! Names of models near one that nobody knows.

use crate::plugins::Catalog;
use crate::registry::ModelCards;
use crate::suggest::hint;

/// What follows the name of a model that nobody knows: names near it, or ` (otherwise)`.
pub fn near_models(name: &str, catalog: &Catalog, cards: &ModelCards, otherwise: &str) -> String {
    let (cards, _) = cards.all();
    let brought =
        catalog.plugins.iter().flat_map(|plugin| &plugin.manifest.models).filter(|model| *model != "*");
    let known = brought.map(String::as_str).chain(cards.iter().map(|found| found.card.name.as_str()));
    hint(name, known.filter(|known| *known != name), otherwise)
}

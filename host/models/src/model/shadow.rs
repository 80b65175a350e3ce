//! Keeps the `[api]` table of a card that does not come with mteb-host from redirecting a name that
//! already exists to an address of its own.

use std::path::Path;

use mteb_card::ApiCard;
use mteb_registry::{FoundCard, ModelCards};
use mteb_workers::plugins::Catalog;

use super::listener::Listener;
use super::python::{hub_name, kind_of};

/// `found`, the card of the model called `name`, with the table `[api]` that counts. A model in
/// Python has none. That of a card which is no part of the host is skipped with a warning where a
/// plugin, the host or a folder has a model of that name.
pub fn with_own_endpoint(
    name: &str,
    mut found: FoundCard,
    catalog: &Catalog,
    listener: &dyn Listener,
) -> FoundCard {
    let is_python = kind_of(name).is_some();
    if found.is_embedded {
        found.card.api = found.card.api.filter(|_| !is_python);
        return found;
    }
    let Some(api) = found.card.api.take() else { return found };
    let of_binary = ModelCards::of_binary().card(&found.card.name).ok().flatten();
    let owner = if is_python {
        "computed in Python"
    } else if catalog.provides(name) {
        "provided by a plugin"
    } else if Path::new(hub_name(name)).is_dir() {
        "in a folder of that name"
    } else if of_binary
        .as_ref()
        .is_some_and(|own| own.card.api.as_ref().is_none_or(|own| !is_same(own, &api)))
    {
        "described by a card that comes with mteb-host"
    } else {
        found.card.api = Some(api);
        return found;
    };
    listener.warn(&format!(
        "{}: expected no table `[api]` for {name}, which is {owner}, found one in a card that does not come \
         with mteb-host: it is ignored; a card with its own name can use that server",
        found.file
    ));
    of_binary.filter(|own| own.card.api.is_some() && !is_python).unwrap_or(found)
}

/// True if the same model is asked at the same place, whatever else is said of it.
fn is_same(own: &ApiCard, other: &ApiCard) -> bool {
    (own.style, &own.model, &own.url) == (other.style, &other.model, &other.url)
}

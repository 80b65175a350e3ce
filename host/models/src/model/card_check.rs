//! Checks model cards against the models themselves, which are started for this.

use mteb_registry::{Fault, FoundCard};
use mteb_workers::plugins::Catalog;
use mteb_workers::settings::Settings;

use super::contradiction::contradictions;
use super::listener::Silent;
use super::{LoadedModel, ModelChoice};

/// The faults of cards whose models a plugin of `catalog` provides by their very names: each is
/// started.
pub fn check_with_models(cards: &[FoundCard], catalog: &Catalog, settings: &Settings) -> Vec<Fault> {
    let is_provided = |found: &&FoundCard| {
        let name = &found.card.name;
        catalog.model_plugin(name).is_some_and(|plugin| plugin.manifest.models.contains(name))
    };
    let faults = |found: &FoundCard| {
        let started = ModelChoice::new(&found.card.name).start(catalog, settings, &[], &Silent).ok()?;
        let LoadedModel::Worker(client) = started else { return None };
        Some(contradictions(found, client.info(), client.config()))
    };
    cards.iter().filter(is_provided).filter_map(faults).flatten().collect()
}

//! The model of a run: chosen by the user, completed by its card, started in a worker.

mod choice;
mod contradiction;
mod error;
mod loaded;
mod local;
mod model_settings;
mod naming;
mod near;
mod options;
mod python;
mod remote;
mod unknown;
mod virtual_environment;
mod workers;

use mteb_registry::{Fault, FoundCard};
use mteb_workers::plugins::Catalog;
use mteb_workers::settings::Settings;

use contradiction::contradictions;

pub use choice::ModelChoice;
pub use error::{EnvironmentError, Listener, ModelError, PythonError, Silent};
pub use loaded::{Bm25Model, Bm25Ranker, LoadedModel};
pub use model_settings::Dtype;
pub use near::near_models;
pub use python::{PythonChoice, interpreter};
pub use remote::RemoteChoice;
pub use unknown::lack_of_torch;
pub use virtual_environment::trust_environment;
pub use workers::{DeviceError, WorkerChoice};

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

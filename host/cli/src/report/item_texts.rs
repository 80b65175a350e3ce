//! The texts of the items that a comparison shows, from the data that is at hand: nothing is downloaded for them.

use std::collections::HashMap;
use std::sync::Arc;

use mteb_engine::plugins::Catalog;
use mteb_engine::registry::{Registries, TaskEntry};
use mteb_engine::settings::Settings;
use mteb_engine::source::{DataSources, query_texts, row_texts};
use mteb_report::compare::{Comparison, Texts};

/// Gives the items of a comparison their texts; those whose data is not at hand keep their ids alone.
pub fn add_item_texts(comparison: &mut Comparison, registry: &[String], settings: Settings) {
    if !comparison.tasks.iter().flat_map(|task| &task.units).any(|unit| unit.items.is_some()) {
        return;
    }
    let catalog = Catalog::discover(&settings);
    let registries = Registries::load(registry, &catalog);
    let tasks: HashMap<String, Arc<TaskEntry>> =
        registries.tasks().into_iter().map(|task| (task.card.name.clone(), task)).collect();
    let mut sources = DataSources::new(Settings { offline: true, ..settings }, &catalog);
    comparison.add_texts(|task, split, subset, texts, ids| {
        let none = || vec![None; ids.len()];
        let Some(entry) = tasks.get(task) else { return none() };
        // A corpus is not read.
        let Ok((unit, _)) = sources.streamed(entry, split, subset) else { return none() };
        match texts {
            Texts::Queries => query_texts(&unit, ids),
            Texts::Rows => row_texts(&entry.card, &unit, ids),
            Texts::Nowhere => none(),
        }
    });
}

//! The texts of the items that a comparison shows, from the data that is at hand: nothing is downloaded for them.

use std::collections::HashMap;
use std::sync::Arc;

use mteb_registry::{Registries, TaskEntry};
use mteb_report::compare::{Comparison, Texts};
use mteb_report::table::Board;
use mteb_source::{DataSources, query_texts, row_texts};
use mteb_workers::plugins::Catalog;
use mteb_workers::settings::Settings;

/// Gives the items of a comparison their texts. Those whose data is not at hand keep their ids alone, and so do those whose data is
/// not that of the results any more, of which the comparison says so.
pub fn add_item_texts(comparison: &mut Comparison, board: &Board, registry: &[String], settings: Settings) {
    if !comparison.tasks.iter().flat_map(|task| &task.units).any(|unit| unit.items.is_some()) {
        return;
    }
    let catalog = Catalog::discover(&settings);
    let registries = Registries::load(registry, &catalog);
    let tasks: HashMap<String, Arc<TaskEntry>> =
        registries.tasks().into_iter().map(|task| (task.card.name.clone(), task)).collect();
    let mut sources = DataSources::new(Settings { offline: true, ..settings }, &catalog);
    let made_from = |task: &str, split: &str, subset: &str| {
        let column = board.columns.iter().find(|column| column.task.name == task)?;
        column.made_from(&(split.to_owned(), subset.to_owned()))
    };
    let mut changed: Vec<String> = Vec::new();
    comparison.add_texts(|task, split, subset, texts, ids| {
        let none = || vec![None; ids.len()];
        let Some(entry) = tasks.get(task) else { return none() };
        let change =
            made_from(task, split, subset).and_then(|of| sources.change_since(entry, (split, subset), of));
        if let Some(change) = change {
            let of_other_data = change.is_of_other_data();
            let (place, change) = (format!("{task}, split {split}, subset {subset}"), change.what());
            let why = if of_other_data {
                "the data is not that of the scores"
            } else {
                "the lock refuses the data"
            };
            changed.push(format!("{place}: texts are not shown, for {why} ({change})"));
            return none();
        }
        // A corpus is not read.
        let Ok((unit, _)) = sources.stream(entry, split, subset) else { return none() };
        match texts {
            Texts::Queries => query_texts(&unit, ids),
            Texts::Rows => row_texts(&entry.card, &unit, ids),
            Texts::Nowhere => none(),
        }
    });
    comparison.warnings.extend(changed);
}

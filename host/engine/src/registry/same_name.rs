//! Tasks of one name that differ in their cards or in where their data is: a score would be taken for that of another task.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mteb_card::TaskCard;

use super::cards::canonical;
use super::place::fault_in;
use super::source::embedded_card;
use super::{Fault, LoadedRegistry, Origin, TaskEntry};
use crate::plugins::Catalog;

/// A warning for each task of `loaded` whose name another card has, of the same registries, of the binary or of a task
/// pack. It says which card counts.
pub fn same_names(loaded: &[LoadedRegistry], catalog: &Catalog) -> Vec<Fault> {
    let mut first: BTreeMap<&str, &Arc<TaskEntry>> = BTreeMap::new();
    let mut warnings = BTreeSet::new();
    for task in loaded.iter().flat_map(|registry| &registry.tasks) {
        let name = task.card.name.as_str();
        let counts = first.entry(name).or_insert(task);
        if !is_same(counts, task) {
            warnings.insert(left_out(task, counts));
        }
    }
    for (name, task) in &first {
        if let Some(other) = bundled(task, catalog) {
            let message = format!(
                "task {name}: this card counts, but {other} is called so too; its scores are not those of that task, give \
                 it a name of its own"
            );
            warnings.insert(fault_in(&task.origin, &["name"], message));
        }
    }
    warnings.into_iter().collect()
}

/// The warning that the card of `task` is left out, for one of its name counts.
pub fn left_out(task: &TaskEntry, counts: &TaskEntry) -> Fault {
    let name = &task.card.name;
    let message = format!("task {name}: this card is left out, that of {} counts", counts.origin.shown());
    fault_in(&task.origin, &["name"], message)
}

/// True if two tasks of one name are the same: their cards say the same, and lead to the same data.
pub fn is_same(task: &TaskEntry, other: &TaskEntry) -> bool {
    task.card == other.card
        && local_data(task) == local_data(other)
        && task.members.len() == other.members.len()
        && task.members.iter().zip(&other.members).all(|(member, of_other)| is_same(member, of_other))
}

/// Where the data of the user's own is that a card leads to, by its one name.
fn local_data(task: &TaskEntry) -> Option<PathBuf> {
    let path = task.card.dataset.path.as_deref()?;
    let Origin::File(card) = &task.origin else { return None };
    Some(canonical(&card.parent().unwrap_or(Path::new("")).join(path)))
}

/// Where another card of the name of `task` is that comes with the host or a task pack.
fn bundled(task: &TaskEntry, catalog: &Catalog) -> Option<String> {
    if matches!(task.origin, Origin::Embedded(_)) {
        return None;
    }
    let name = &task.card.name;
    if embedded_card(name).is_some_and(|card: TaskCard| card != *task.card) {
        return Some("a task of the host".to_owned());
    }
    let is_own = |pack: &str| task.origin == Origin::Pack(pack.to_owned());
    let packs = catalog.plugins.iter().filter(|plugin| !is_own(&plugin.manifest.name));
    let mut cards =
        packs.flat_map(|plugin| plugin.cards.iter().map(move |card| (&plugin.manifest.name, card)));
    let (pack, _) = cards.find(|(_, (other, text))| {
        *other == name && TaskCard::from_toml(text).is_ok_and(|card| card != *task.card)
    })?;
    Some(format!("a task of the pack {pack}"))
}

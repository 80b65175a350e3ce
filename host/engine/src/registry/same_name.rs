//! Tasks of one name that are not the same: a score would be taken for that of another task. And benchmarks of one name.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mteb_card::TaskCard;

use super::pack_edition::is_same_pack;
use super::place::fault_in;
use super::same_task::{is_same_card, is_same_task};
use super::source::embedded_card;
use super::{Fault, LoadedRegistry, Origin, TaskEntry};
use crate::plugins::Catalog;

/// The cards of task packs: name of the pack = (name of the task = card as TOML).
pub type PackCards = BTreeMap<String, BTreeMap<String, String>>;

/// The cards of the packs of `catalog`.
pub fn pack_cards(catalog: &Catalog) -> PackCards {
    let packs = catalog.plugins.iter().filter(|plugin| !plugin.cards.is_empty());
    packs.map(|plugin| (plugin.manifest.name.clone(), plugin.cards.clone())).collect()
}

/// Of each name the task that the first of `loaded` brings, which counts unless a benchmark says otherwise.
pub fn first_of_each(loaded: &[LoadedRegistry]) -> Vec<Arc<TaskEntry>> {
    let mut seen = BTreeSet::new();
    let all = loaded.iter().flat_map(|registry| &registry.tasks);
    all.filter(|task| seen.insert(task.card.name.as_str())).cloned().collect()
}

/// A warning for each of the tasks that are `counting` whose name another task has, of `loaded`, of the host or of a pack.
pub fn same_names(loaded: &[LoadedRegistry], packs: &PackCards, counting: &[Arc<TaskEntry>]) -> Vec<Fault> {
    let counting: BTreeMap<&str, &Arc<TaskEntry>> =
        counting.iter().map(|task| (task.card.name.as_str(), task)).collect();
    let mut warnings = BTreeSet::new();
    for task in loaded.iter().flat_map(|registry| &registry.tasks) {
        let name = task.card.name.as_str();
        let Some(counts) = counting.get(name).filter(|counts| !is_same_task(counts, task)) else { continue };
        // What is the host's is said below, where the user can change something.
        if !matches!(task.origin, Origin::Embedded(_)) && !is_same_pack(&task.origin, &counts.origin) {
            warnings.insert(left_out(task, counts));
        }
    }
    for (name, task) in &counting {
        if let Some(other) = bundled(task, packs) {
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

/// A warning for each benchmark called `name` that is not the first one.
pub fn same_benchmarks(loaded: &[LoadedRegistry], name: &str) -> Vec<Fault> {
    let mut files = BTreeSet::new();
    let has_it = |registry: &&LoadedRegistry| {
        registry.registry.benchmarks.iter().any(|benchmark| benchmark.name == name)
    };
    let mut all = loaded.iter().filter(has_it).filter(|registry| files.insert(registry.file.as_str()));
    let Some(counts) = all.next() else { return Vec::new() };
    let message = format!("benchmark {name}: this one is left out, that of {} counts", counts.file);
    all.map(|registry| Fault::of_file(&registry.file, &message)).collect()
}

/// Where another task of the name of `task` is that comes with the host or a task pack.
fn bundled(task: &TaskEntry, packs: &PackCards) -> Option<String> {
    if matches!(task.origin, Origin::Embedded(_)) {
        return None;
    }
    let name = &task.card.name;
    if embedded_card(name).is_some_and(|card| !is_same_card(&card, &task.card)) {
        return Some("a task of the host".to_owned());
    }
    let is_own = |pack: &str| is_same_pack(&task.origin, &Origin::Pack(pack.to_owned()));
    let others = packs.iter().filter(|(pack, _)| !is_own(pack));
    let mut cards = others.filter_map(|(pack, cards)| Some((pack, cards.get(name)?)));
    let is_other = |(_, text): &(&String, &String)| {
        TaskCard::from_toml(text).is_ok_and(|card| !is_same_card(&card, &task.card))
    };
    let (pack, _) = cards.find(is_other)?;
    Some(format!("a task of the pack {pack}"))
}

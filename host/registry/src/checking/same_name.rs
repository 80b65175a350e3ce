//! Names that would mean two things: tasks of one name whose scores are made from other data or in
//! another way, benchmarks and registries of one name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mteb_base::suggest::list_names;
use mteb_card::{Benchmark, Packs, Registry, TaskCard};

use crate::reading::cards::canonical;
use crate::reading::named::{known_registries, registries_in};
use crate::reading::pack_entries::is_same_pack;
use crate::reading::place::fault_in;
use crate::reading::source::{RegistrySource, embedded_card};
use crate::unit_options::options_of_unit;
use crate::{Fault, LoadedRegistry, Origin, TaskEntry};

/// The cards of task packs: name of the pack = (name of the task = card as TOML).
pub type PackCards = BTreeMap<String, BTreeMap<String, String>>;

/// The cards of `packs`.
pub fn pack_cards(packs: &dyn Packs) -> PackCards {
    let cards = packs.names().into_iter().filter_map(|name| Some((name, packs.cards(name)?)));
    let packs = cards.filter(|(_, cards)| !cards.is_empty());
    packs.map(|(name, cards)| (name.to_owned(), cards.clone())).collect()
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
        if let Some(other) = find_bundled(task, packs) {
            let message = format!(
                "task {name}: this card is used, but {other} has the same name; its scores are not those of \
                 that task, so give it a name of its own"
            );
            warnings.insert(fault_in(&task.origin, &["name"], message));
        }
    }
    warnings.into_iter().collect()
}

/// The warning that the card of `task` is skipped, because one of its name counts.
pub fn left_out(task: &TaskEntry, counts: &TaskEntry) -> Fault {
    let name = &task.card.name;
    let message = format!("task {name}: this card is ignored, that of {} is used", counts.origin.label());
    fault_in(&task.origin, &["name"], message)
}

/// Tasks of an included registry that are told of one by one.
const FEW: usize = 3;

/// What is said of tasks that the registry in `file` includes and leaves out, each beside the one of its name that counts: of many of
/// one registry together.
pub fn all_left_out(file: &str, left: &[(Arc<TaskEntry>, Arc<TaskEntry>)]) -> Vec<Fault> {
    let mut by_registry: BTreeMap<[&str; 2], Vec<(&TaskEntry, &TaskEntry)>> = BTreeMap::new();
    for (task, counts) in left {
        let registries = [task.registry.as_str(), counts.registry.as_str()];
        by_registry.entry(registries).or_default().push((task, counts));
    }
    let said = |([registry, of], tasks): ([&str; 2], Vec<(&TaskEntry, &TaskEntry)>)| {
        if tasks.len() <= FEW {
            return tasks.into_iter().map(|(task, counts)| left_out(task, counts)).collect::<Vec<_>>();
        }
        let names: Vec<String> = tasks.iter().map(|(task, _)| task.card.name.clone()).collect();
        let message = format!(
            "{} tasks of {registry} are ignored, those of {of} are used: {}",
            names.len(),
            list_names(&names)
        );
        vec![Fault::of_file(file, message)]
    };
    by_registry.into_iter().flat_map(said).collect()
}

/// A warning for each benchmark that is not found by one of its names, because one of another registry of `loaded` is; of the benchmarks
/// called `name` alone, if one is asked for.
pub fn same_benchmarks(loaded: &[LoadedRegistry], name: Option<&str>) -> Vec<Fault> {
    let all: Vec<Called> = loaded.iter().flat_map(names_of_benchmarks).collect();
    let mut names: BTreeMap<&str, Vec<&Called>> = BTreeMap::new();
    for one in all.iter().filter(|one| name.is_none_or(|name| one.name == name)) {
        names.entry(one.name).or_default().push(one);
    }
    let mut warnings = BTreeSet::new();
    for (name, mut all) in names {
        // The name of one goes before the alias of another, as where one is looked for.
        all.sort_by_key(|one| one.alias.is_some());
        let Some((first, others)) = all.split_first() else { continue };
        for other in others.iter().filter(|other| other.home.file != first.home.file) {
            let (file, own) = (&first.home.file, &other.benchmark.name);
            let place = other.place.to_string();
            let (path, message) = match other.alias {
                None => (
                    vec!["benchmark", &place, "name"],
                    format!("benchmark {name}: this one is ignored, that of {file} is used"),
                ),
                Some(_) => (
                    vec!["benchmark", &place, "aliases"],
                    format!(
                        "benchmark {own}: its alias {name} leads to another benchmark: {} of {file}",
                        first.benchmark.name
                    ),
                ),
            };
            warnings.insert(other.home.fault(&path, message));
        }
    }
    warnings.into_iter().collect()
}

/// A benchmark by one of its names.
struct Called<'a> {
    name: &'a str,
    /// The place of the name among its aliases, if it is one of them.
    alias: Option<usize>,
    benchmark: &'a Benchmark,
    /// Its place among those of its registry.
    place: usize,
    home: &'a LoadedRegistry,
}

/// The benchmarks of a registry, each as often as it has names.
fn names_of_benchmarks(home: &LoadedRegistry) -> impl Iterator<Item = Called<'_>> {
    home.registry.benchmarks.iter().enumerate().flat_map(move |(place, benchmark)| {
        let own = std::iter::once((benchmark.name.as_str(), None));
        let aliases = benchmark.aliases.iter().enumerate().map(|(alias, name)| (name.as_str(), Some(alias)));
        own.chain(aliases).map(move |(name, alias)| Called { name, alias, benchmark, place, home })
    })
}

/// A warning for each registry of `loaded` beside which others of its name lie: those that are loaded, and those of a folder in which
/// registries are found by name.
pub fn same_registries(loaded: &[LoadedRegistry]) -> Vec<Fault> {
    let mut warnings = BTreeSet::new();
    let is_registry = |one: &&LoadedRegistry| {
        let Registry { cards, packs, include, benchmarks, .. } = &one.registry;
        !(cards.is_empty() && packs.is_empty() && include.is_empty() && benchmarks.is_empty())
    };
    let named: Vec<&LoadedRegistry> = loaded.iter().filter(is_registry).collect();
    for one in &named {
        let (file, name) = (Path::new(&one.file), &one.registry.name);
        let Some(folder) = file.parent().filter(|_| file.is_file()) else { continue };
        let mut others: BTreeSet<PathBuf> = registries_in(folder, name).into_iter().collect();
        let beside = named.iter().filter(|other| other.registry.name == *name);
        let beside = beside.map(|other| PathBuf::from(&other.file));
        others.extend(beside.filter(|other| other.parent() == Some(folder)));
        others.remove(file);
        if !others.is_empty() {
            let others: Vec<String> = others.iter().map(|other| other.display().to_string()).collect();
            let message = format!(
                "registry {name}: expected a name that no other registry of the folder has, found that of {}; give each a name of \
                 its own",
                others.join(", ")
            );
            warnings.insert(one.fault(&["name"], message));
        }
    }
    warnings.into_iter().collect()
}

/// Where another task of the name of `task` is that comes with the host or a task pack.
fn find_bundled(task: &TaskEntry, packs: &PackCards) -> Option<String> {
    if matches!(task.origin, Origin::Embedded(_)) {
        return None;
    }
    let name = &task.card.name;
    if embedded_card(name).is_some_and(|card| !is_same_card(&card, &task.card)) {
        return Some("a task that comes with mteb-host".to_owned());
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

/// True if the scores of both tasks are comparable, wherever their cards lie and whatever these say to readers.
pub fn is_same_task(left: &TaskEntry, right: &TaskEntry) -> bool {
    is_same_card(&left.card, &right.card)
        && left.members.len() == right.members.len()
        && left.members.iter().zip(&right.members).all(|(left, right)| is_same_task(left, right))
        && (left.origin == right.origin || local_data(left) == local_data(right))
}

/// True if both cards make their scores in the same way, from data of the same name.
fn is_same_card(left: &TaskCard, right: &TaskCard) -> bool {
    // Most tasks of one name are one card that several registries name; the options of thousands of subsets cost seconds.
    std::ptr::eq(left, right) || left == right || is_scored_alike(left, right)
}

fn is_scored_alike(left: &TaskCard, right: &TaskCard) -> bool {
    let (own, other) = (&left.dataset, &right.dataset);
    left.eval_splits == right.eval_splits
        && left.subset_names() == right.subset_names()
        && left.members == right.members
        && left.revision() == right.revision()
        && own.all_places() == other.all_places()
        && left.subset_names().iter().all(|name| options_of_unit(left, name) == options_of_unit(right, name))
}

/// Where the data of the user's own is that a card leads to, by its one name.
fn local_data(task: &TaskEntry) -> Option<PathBuf> {
    let path = task.card.dataset.path.as_deref()?;
    let Origin::File(card) = &task.origin else { return None };
    Some(canonical(&card.parent().unwrap_or(Path::new("")).join(path)))
}

/// A warning for each registry of the user that is called as one of the host, and for each of its benchmarks that is, or has such
/// another name; of `benchmark` alone, if one is asked for.
pub fn taken_names(loaded: &[LoadedRegistry], benchmark: Option<&str>) -> Vec<Fault> {
    let is_wanted = |found: &&Benchmark| benchmark.is_none_or(|name| found.is_called(name));
    let asked = |registry: &&LoadedRegistry| {
        benchmark.is_none() || registry.registry.benchmarks.iter().any(|found| is_wanted(&found))
    };
    let mut own = loaded.iter().filter(asked).peekable();
    if own.peek().is_none() {
        return Vec::new();
    }
    let host = registries_of_the_host();
    let mut warnings = Vec::new();
    for LoadedRegistry { registry, file, .. } in own {
        if host.iter().any(|(of, _)| of == file) {
            continue;
        }
        let mut warn = |what: String| {
            let message = format!(
                "{what} has the name of one that comes with mteb-host; its means are not those of that one, so \
                 give it a name of its own"
            );
            warnings.push(Fault::of_file(file, &message));
        };
        let namesake = host.iter().find(|(_, other)| other.name == registry.name);
        if namesake.is_some_and(|(_, other)| other.benchmarks != registry.benchmarks) && benchmark.is_none() {
            warn(format!("registry {}: this", registry.name));
        }
        let all = || host.iter().flat_map(|(_, other)| &other.benchmarks);
        for found in registry.benchmarks.iter().filter(is_wanted) {
            if all().any(|other| other == found) {
                continue;
            }
            let names = std::iter::once(&found.name).chain(&found.aliases);
            for name in names.filter(|name| all().any(|other| other.is_called(name))) {
                warn(format!("benchmark {}: {name}", found.name));
            }
        }
    }
    warnings
}

/// The registries that are part of the binary, each with its file.
pub fn registries_of_the_host() -> Vec<(String, Registry)> {
    let known = known_registries().into_iter().map(|(_, source)| source);
    let own = known.filter(|source| matches!(source, RegistrySource::Embedded(_)));
    own.filter_map(|source| Some((source.label(), source.read().ok()?.parse().ok()?))).collect()
}

//! The tasks of a benchmark, and what is wrong with it.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use mteb_base::suggest::hint;
use mteb_card::Benchmark;

use super::narrowing::{is_named, narrow};
use super::pattern::TaskPattern;
use super::selected::{Selected, merge, narrow_languages, overlap};
use crate::TaskEntry;
use crate::languages::language::LanguageFilter;

/// What is wrong with a benchmark, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BenchmarkFault {
    /// The keys and places that lead to it in the benchmark's table, as `tasks`, `3`.
    pub path: Vec<String>,
    /// What was expected and what was found.
    pub message: String,
}

impl BenchmarkFault {
    /// A fault of `benchmark` at the value that `path` leads to.
    pub fn new(benchmark: &Benchmark, path: &[&str], message: &str) -> Self {
        let path = path.iter().map(|&step| step.to_owned()).collect();
        Self { path, message: format!("benchmark {}: {message}", benchmark.name) }
    }
}

/// The tasks of a benchmark, from the tasks of its registry.
///
/// # Errors
/// All tasks, subsets, splits, task types and languages that it names and that do not exist there.
pub fn benchmark_tasks(
    benchmark: &Benchmark,
    registry: &str,
    tasks: &[Arc<TaskEntry>],
) -> Result<Vec<Selected>, Vec<BenchmarkFault>> {
    let (selected, faults) = known_tasks(benchmark, registry, tasks);
    if faults.is_empty() { Ok(selected) } else { Err(faults) }
}

/// The tasks of a benchmark as far as they are there, and what is wrong with its lists.
pub(crate) fn known_tasks(
    benchmark: &Benchmark,
    registry: &str,
    tasks: &[Arc<TaskEntry>],
) -> (Vec<Selected>, Vec<BenchmarkFault>) {
    let fault = |key: &str, index: usize, message: &str| {
        BenchmarkFault::new(benchmark, &[key, &index.to_string()], message)
    };
    let mut faults: Vec<BenchmarkFault> = Vec::new();
    let mut selected: Vec<Selected> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    // Those that are named, not taken with all others.
    let mut exact: HashSet<usize> = HashSet::new();
    let mut by_name: HashMap<&str, Vec<&Arc<TaskEntry>>> = HashMap::new();
    tasks.iter().for_each(|entry| by_name.entry(&entry.card.name).or_default().push(entry));
    for (index, text) in benchmark.tasks.iter().enumerate() {
        let pattern = TaskPattern::new(text);
        let mut found = false;
        let named = by_name.get(pattern.name()).cloned().unwrap_or_default();
        let entries = if pattern.is_exact() { named } else { tasks.iter().collect() };
        for entry in entries.into_iter().filter(|entry| is_named(&pattern, entry)) {
            found = true;
            let place = places.get(entry.card.name.as_str()).copied();
            if place.is_some() && !pattern.is_exact() {
                continue;
            }
            match (narrow(entry, &pattern), place) {
                (Ok(narrowed), Some(place))
                    if exact.contains(&place) && overlap(&selected[place], &narrowed) =>
                {
                    let message =
                        format!("expected each subset and split of a task once, found again: {text}");
                    // The very same text twice is told of where the form of the registry is
                    // checked.
                    if !benchmark.tasks[..index].contains(text) {
                        faults.push(fault("tasks", index, &message));
                    }
                }
                (Ok(narrowed), Some(place)) => merge(&mut selected[place], &narrowed),
                (Ok(narrowed), None) => {
                    if pattern.is_exact() {
                        exact.insert(selected.len());
                    }
                    places.insert(&entry.card.name, selected.len());
                    selected.push(narrowed);
                }
                (Err(error), _) => faults.push(fault("tasks", index, &error.to_string())),
            }
        }
        if !found {
            faults.push(fault("tasks", index, &no_task_fits(&pattern, text, registry, tasks)));
        }
    }
    // Of a card with subsets those may be absent that the benchmark takes.
    let is_whole = |name: &str| {
        let entries = by_name.get(name);
        entries.is_some_and(|entries| entries.iter().any(|entry| entry.card.subsets.is_empty()))
    };
    for (index, name) in benchmark.absent.iter().enumerate().filter(|(_, name)| is_whole(name)) {
        let message = format!(
            "expected the name of a task that no card describes, found one that has a card: {name}; name it under `tasks`"
        );
        faults.push(fault("absent", index, &message));
    }
    if !benchmark.languages.is_empty() {
        let used: BTreeSet<&str> = tasks.iter().flat_map(|task| task.card.all_languages()).collect();
        let mut languages = Vec::new();
        for (index, language) in benchmark.languages.iter().enumerate() {
            match LanguageFilter::exact(language, &used) {
                Ok(language) => languages.push(language),
                Err(error) => faults.push(fault("languages", index, &error.to_string())),
            }
        }
        if faults.is_empty() {
            narrow_languages(&mut selected, &languages);
            let without = without_language(benchmark, &selected, tasks);
            faults.extend(without.into_iter().map(|(index, message)| fault("tasks", index, &message)));
        }
    }
    (selected, faults)
}

/// The tasks that the benchmark names and that have nothing in its languages: the place of each in
/// the list, and what to say.
fn without_language(
    benchmark: &Benchmark,
    selected: &[Selected],
    tasks: &[Arc<TaskEntry>],
) -> Vec<(usize, String)> {
    let is_there = |pattern: &TaskPattern| selected.iter().any(|task| task.entry.card.name == pattern.name());
    let languages = benchmark.languages.join(", ");
    let patterns = benchmark.tasks.iter().map(|text| TaskPattern::new(text));
    let named = patterns.enumerate().filter(|(_, pattern)| pattern.is_exact() && !is_there(pattern));
    let said = |(index, pattern): (usize, TaskPattern)| {
        let name = pattern.name();
        let card = tasks.iter().map(|entry| &entry.card).find(|card| card.name == name);
        if let Some(card) = card.filter(|_| pattern.has_subsets()) {
            let all = pattern.subsets().iter().flat_map(|subset| card.subset_languages(subset));
            let own: BTreeSet<&str> = all.map(String::as_str).collect();
            let message = format!(
                "expected subsets in {languages}, the `languages` of the benchmark, found: {}, whose languages are {}; add them \
                 to `languages`, or leave it out",
                benchmark.tasks[index],
                own.into_iter().collect::<Vec<_>>().join(", ")
            );
            return (index, message);
        }
        let message = format!(
            "expected a task with a subset in {languages}, found: {name}, of which the registry includes none; \
             name its subsets here, as `{name}:SUBSET`, or leave it out"
        );
        (index, message)
    };
    let found: Vec<(usize, String)> = named.map(said).collect();
    if found.is_empty() && selected.is_empty() && !benchmark.tasks.is_empty() {
        return vec![(0, format!("expected a task with a subset in {languages}, found none"))];
    }
    found
}

fn no_task_fits(pattern: &TaskPattern, text: &str, registry: &str, tasks: &[Arc<TaskEntry>]) -> String {
    if let Some(task_type) = pattern.task_type() {
        let types = tasks.iter().map(|task| task.card.task_type.as_str());
        let near = hint(task_type, types, "");
        return format!("registry {registry} has no task of the type {task_type}{near}");
    }
    let near = hint(pattern.name(), tasks.iter().map(|task| task.card.name.as_str()), "");
    format!("registry {registry} has no task that matches: {text}{near}")
}

/// How much of a benchmark is there, where it is not all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BenchmarkPart {
    /// The benchmark.
    pub benchmark: String,
    /// How many of its tasks are looked at, and how many it has that are there.
    pub tasks: [usize; 2],
    /// The same of its units: splits and subsets of tasks.
    pub units: [usize; 2],
    /// Names of its tasks that are not there.
    pub absent: Vec<String>,
}

impl BenchmarkPart {
    /// What `taken` is of the benchmark of these `tasks`; `None` if it is all of it.
    pub fn of(benchmark: &str, tasks: &[Selected], absent: &[String], taken: &[Selected]) -> Option<Self> {
        let units = |tasks: &[Selected]| tasks.iter().map(|task| task.units().count()).sum();
        let part = Self {
            benchmark: benchmark.to_owned(),
            tasks: [taken.len(), tasks.len()],
            units: [units(taken), units(tasks)],
            absent: absent.to_vec(),
        };
        (part.is_narrowed() || !absent.is_empty()).then_some(part)
    }

    /// True if something of it that is there is left out.
    pub fn is_narrowed(&self) -> bool {
        self.tasks[0] < self.tasks[1] || self.units[0] < self.units[1]
    }
}

//! The tasks of a benchmark, and what is wrong with it.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use mteb_plugin_api::Benchmark;

use super::TaskEntry;
use super::language::LanguageFilter;
use super::pattern::TaskPattern;
use super::selected::{Selected, merge, narrow_languages};
use crate::suggest::hint;

/// What is wrong with a benchmark, and where: the key of it and the place in that list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BenchmarkFault {
    /// `tasks`, `absent` or `languages`.
    pub key: &'static str,
    /// Place in the list.
    pub index: usize,
    /// What was expected and what was found.
    pub message: String,
}

/// The tasks of a benchmark, from the tasks of its registry.
///
/// # Errors
/// If a task, subset, split, task type or language that it names does not exist there.
pub fn benchmark_tasks(
    benchmark: &Benchmark,
    registry: &str,
    tasks: &[Arc<TaskEntry>],
) -> Result<Vec<Selected>, BenchmarkFault> {
    let fault = |key, index, message: String| {
        let message = format!("benchmark {}: {message}", benchmark.name);
        BenchmarkFault { key, index, message }
    };
    let mut selected: Vec<Selected> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut by_name: HashMap<&str, Vec<&Arc<TaskEntry>>> = HashMap::new();
    tasks.iter().for_each(|entry| by_name.entry(&entry.card.name).or_default().push(entry));
    for (index, text) in benchmark.tasks.iter().enumerate() {
        let pattern = TaskPattern::new(text);
        let mut found = false;
        let named = by_name.get(pattern.name()).cloned().unwrap_or_default();
        let entries = if pattern.is_exact() { named } else { tasks.iter().collect() };
        for entry in entries.into_iter().filter(|entry| pattern.takes(entry)) {
            found = true;
            let narrow = || pattern.narrow(entry).map_err(|error| fault("tasks", index, error.to_string()));
            match places.get(entry.card.name.as_str()) {
                Some(&place) if pattern.is_exact() => merge(&mut selected[place], &narrow()?),
                Some(_) => {}
                None => {
                    places.insert(&entry.card.name, selected.len());
                    selected.push(narrow()?);
                }
            }
        }
        if !found {
            return Err(fault("tasks", index, no_task_fits(&pattern, text, registry, tasks)));
        }
    }
    // Of a card with subsets those may be absent that the benchmark takes.
    let is_whole = |name: &String| {
        let entries = by_name.get(name.as_str());
        entries.is_some_and(|entries| entries.iter().any(|entry| entry.card.subsets.is_empty()))
    };
    if let Some(index) = benchmark.absent.iter().position(is_whole) {
        let name = &benchmark.absent[index];
        let message = format!(
            "expected the name of a task that no card describes, found one that has a card: {name}; name it under `tasks`"
        );
        return Err(fault("absent", index, message));
    }
    if !benchmark.languages.is_empty() {
        let used: BTreeSet<&str> = tasks.iter().flat_map(|task| task.card.all_languages()).collect();
        let mut languages = Vec::new();
        for (index, language) in benchmark.languages.iter().enumerate() {
            let exact = LanguageFilter::exact(language, &used);
            languages.push(exact.map_err(|error| fault("languages", index, error.to_string()))?);
        }
        narrow_languages(&mut selected, &languages);
        if let Some((index, message)) = without_language(benchmark, &selected, tasks) {
            return Err(fault("tasks", index, message));
        }
    }
    Ok(selected)
}

/// The first task that the benchmark names and that has nothing in its languages: its place in the list, and what to say.
fn without_language(
    benchmark: &Benchmark,
    selected: &[Selected],
    tasks: &[Arc<TaskEntry>],
) -> Option<(usize, String)> {
    let is_there = |pattern: &TaskPattern| selected.iter().any(|task| task.entry.card.name == pattern.name());
    let languages = benchmark.languages.join(", ");
    let patterns = benchmark.tasks.iter().map(|text| TaskPattern::new(text));
    let mut named = patterns.enumerate().filter(|(_, pattern)| pattern.is_exact());
    if let Some((index, pattern)) = named.find(|(_, pattern)| !is_there(pattern)) {
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
            return Some((index, message));
        }
        let message = format!(
            "expected a task with a subset in {languages}, found: {name}, of which the registry takes none; name its \
             subsets here, as `{name}:SUBSET`, or leave it out"
        );
        return Some((index, message));
    }
    selected.is_empty().then(|| (0, format!("expected a task with a subset in {languages}, found none")))
}

fn no_task_fits(pattern: &TaskPattern, text: &str, registry: &str, tasks: &[Arc<TaskEntry>]) -> String {
    if let Some(task_type) = pattern.task_type() {
        let types = tasks.iter().map(|task| task.card.task_type.as_str());
        let near = hint(task_type, types, "");
        return format!("registry {registry} has no task of the type {task_type}{near}");
    }
    let near = hint(pattern.name(), tasks.iter().map(|task| task.card.name.as_str()), "");
    format!("registry {registry} has no task that fits: {text}{near}")
}

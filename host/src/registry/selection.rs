//! Picks the tasks that a command line asks for.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use mteb_plugin_api::Benchmark;
use mteb_plugin_api::card::vocabulary::TaskType;

use super::pattern::{SelectionError, TaskPattern};
use super::{LoadedRegistry, Registries, TaskEntry};

/// What the command line asks for; an empty list asks for everything.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// `--task NAME[:subset,subset]`.
    pub tasks: Vec<String>,
    /// `--benchmark NAME`.
    pub benchmark: Option<String>,
    /// `--task-type T`.
    pub task_types: Vec<String>,
    /// `--language L`.
    pub languages: Vec<String>,
}

/// One task, narrowed to subsets and splits.
#[derive(Clone, Debug)]
pub struct Selected {
    /// The task.
    pub entry: Arc<TaskEntry>,
    /// Subsets that are scored, in the card's order.
    pub subsets: Vec<String>,
    /// Splits that are scored, in the card's order.
    pub splits: Vec<String>,
}

impl Selected {
    /// The units that are scored, as split and subset, in evaluation order.
    pub fn units(&self) -> impl Iterator<Item = (&str, &str)> {
        let subsets: HashSet<&str> = self.subsets.iter().map(String::as_str).collect();
        let splits: HashSet<&str> = self.splits.iter().map(String::as_str).collect();
        let units = self.entry.card.units();
        units.filter(move |(split, subset)| splits.contains(split) && subsets.contains(subset))
    }

    /// The tasks that have data: the task itself, or its members if it is their mean.
    pub fn with_data(&self) -> Vec<Self> {
        if self.entry.members.is_empty() {
            return vec![self.clone()];
        }
        let member = |entry: &Arc<TaskEntry>| {
            let all = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
            let splits = entry.card.eval_splits.iter().filter(|split| self.splits.contains(split)).cloned();
            Self {
                entry: Arc::clone(entry),
                subsets: all(entry.card.subset_names()),
                splits: splits.collect(),
            }
        };
        self.entry.members.iter().map(member).collect()
    }
}

/// The tasks of `registries` that `filter` asks for, in the order of the command line, the benchmark or the
/// registries.
///
/// # Errors
/// If a task, subset, split, benchmark or task type that was named does not exist.
pub fn select(registries: &Registries, filter: &Filter) -> Result<Vec<Selected>, SelectionError> {
    let mut selected = match &filter.benchmark {
        Some(name) => of_benchmark(registries, name)?,
        None => whole(registries)?,
    };
    if !filter.tasks.is_empty() {
        selected = named(&selected, &filter.tasks, registries)?;
    }
    check_task_types(&filter.task_types)?;
    if !filter.task_types.is_empty() {
        let wanted = |task: &Selected| {
            filter.task_types.iter().any(|name| same_word(name, task.entry.card.task_type.as_str()))
        };
        selected.retain(wanted);
    }
    if !filter.languages.is_empty() {
        narrow_languages(&mut selected, &filter.languages);
    }
    Ok(selected)
}

/// Every task once, with all that any of the registries takes of it.
fn whole(registries: &Registries) -> Result<Vec<Selected>, SelectionError> {
    let mut selected: Vec<Selected> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for entry in registries.loaded.iter().flat_map(|registry| &registry.tasks) {
        let task = TaskPattern::default().narrow(entry)?;
        match places.get(entry.card.name.as_str()) {
            Some(&place) => merge(&mut selected[place], &task),
            None => {
                places.insert(&entry.card.name, selected.len());
                selected.push(task);
            }
        }
    }
    Ok(selected)
}

fn of_benchmark(registries: &Registries, name: &str) -> Result<Vec<Selected>, SelectionError> {
    let Some((benchmark, registry)) = registries.benchmark(name) else {
        let known = registries.loaded.iter().flat_map(|registry| &registry.registry.benchmarks);
        let known = known.map(|benchmark| benchmark.name.as_str()).collect::<Vec<_>>().join(", ");
        return Err(SelectionError(format!("expected a benchmark among {known}, found: {name}")));
    };
    benchmark_tasks(benchmark, registry)
}

fn benchmark_tasks(
    benchmark: &Benchmark,
    registry: &LoadedRegistry,
) -> Result<Vec<Selected>, SelectionError> {
    let mut selected = Vec::new();
    let mut seen = HashSet::new();
    for text in &benchmark.tasks {
        let pattern = TaskPattern::new(text);
        let mut found = false;
        for entry in registry.tasks.iter().filter(|entry| pattern.takes(entry)) {
            found = true;
            if seen.insert(entry.card.name.clone()) {
                selected.push(pattern.narrow(entry)?);
            }
        }
        if !found {
            let message = format!(
                "benchmark {}: registry {} has no task that fits: {text}",
                benchmark.name, registry.registry.name
            );
            return Err(SelectionError(message));
        }
    }
    if !benchmark.languages.is_empty() {
        narrow_languages(&mut selected, &benchmark.languages);
    }
    Ok(selected)
}

fn named(
    among: &[Selected],
    names: &[String],
    registries: &Registries,
) -> Result<Vec<Selected>, SelectionError> {
    let mut selected: Vec<Selected> = Vec::new();
    for text in names {
        let pattern = TaskPattern::new(text);
        let mut found = false;
        for task in among.iter().filter(|task| pattern.takes(&task.entry)) {
            found = true;
            let narrowed = pattern.narrow_further(task)?;
            match selected.iter_mut().find(|other| other.entry.card.name == narrowed.entry.card.name) {
                Some(other) => merge(other, &narrowed),
                None => selected.push(narrowed),
            }
        }
        if !found {
            return Err(SelectionError(no_such_task(pattern.name(), registries)));
        }
    }
    Ok(selected)
}

/// A task named twice is scored on all the subsets and splits that were named.
fn merge(into: &mut Selected, other: &Selected) {
    let card = &into.entry.card;
    let union = |all: Vec<&str>, left: &[String], right: &[String]| {
        let named: HashSet<&str> = left.iter().chain(right).map(String::as_str).collect();
        all.into_iter().filter(|name| named.contains(name)).map(str::to_owned).collect()
    };
    let splits = card.eval_splits.iter().map(String::as_str).collect();
    (into.subsets, into.splits) = (
        union(card.subset_names(), &into.subsets, &other.subsets),
        union(splits, &into.splits, &other.splits),
    );
}

fn no_such_task(name: &str, registries: &Registries) -> String {
    let tasks = registries.tasks();
    let same = |left: &str, right: &str| left.eq_ignore_ascii_case(right);
    let lower = name.to_lowercase();
    let near = tasks.iter().map(|task| task.card.name.as_str()).filter(|other| {
        same(other, name) || other.to_lowercase().contains(&lower) || lower.contains(&other.to_lowercase())
    });
    let near = near.take(5).collect::<Vec<_>>().join(", ");
    let hint = if near.is_empty() {
        "`mteb-host list tasks` shows all".to_owned()
    } else {
        format!("near it: {near}")
    };
    format!("expected the name of a task, found: {name} ({hint})")
}

fn check_task_types(names: &[String]) -> Result<(), SelectionError> {
    for name in names {
        if !TaskType::ALL.iter().any(|task_type| same_word(name, task_type.as_str())) {
            let all = TaskType::ALL.iter().map(|task_type| task_type.as_str()).collect::<Vec<_>>().join(", ");
            return Err(SelectionError(format!("expected a task type among {all}, found: {name}")));
        }
    }
    Ok(())
}

fn same_word(left: &str, right: &str) -> bool {
    left.eq_ignore_ascii_case(right)
}

/// Keeps subsets with at least one of `languages`; a code with a script keeps that script alone.
fn narrow_languages(selected: &mut Vec<Selected>, languages: &[String]) {
    for task in selected.iter_mut() {
        let codes = task.entry.card.languages_by_subset();
        task.subsets.retain(|subset| {
            let codes = codes.get(subset.as_str()).copied().unwrap_or_default();
            codes.iter().any(|code| languages.iter().any(|wanted| fits(code, wanted)))
        });
    }
    selected.retain(|task| !task.subsets.is_empty());
}

fn fits(code: &str, wanted: &str) -> bool {
    code == wanted || code.split('-').next() == Some(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_with_a_script_is_that_script_alone() {
        assert!(fits("min-Latn", "min"));
        assert!(fits("min-Latn", "min-Latn"));
        assert!(!fits("min-Arab", "min-Latn"));
    }
}

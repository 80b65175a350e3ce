//! Picks the tasks that a command line asks for.

use std::collections::HashSet;
use std::sync::Arc;

use mteb_plugin_api::Benchmark;
use mteb_plugin_api::card::vocabulary::TaskType;

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

/// A command line that asks for something that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SelectionError(pub String);

/// A task as command lines and benchmarks name it: `Name`, `Name@split`, `Name:subset,subset`, `type:STS`, `*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskPattern {
    name: String,
    task_type: Option<String>,
    subsets: Vec<String>,
    split: Option<String>,
}

impl TaskPattern {
    /// Reads a pattern.
    pub fn new(text: &str) -> Self {
        if let Some(task_type) = text.strip_prefix("type:") {
            let task_type = Some(task_type.to_owned());
            return Self { name: "*".to_owned(), task_type, subsets: Vec::new(), split: None };
        }
        let (head, subsets) = text.split_once(':').unwrap_or((text, ""));
        let (name, split) = match head.split_once('@') {
            Some((name, split)) => (name, Some(split.to_owned())),
            None => (head, None),
        };
        let subsets = subsets.split(',').map(str::trim).filter(|subset| !subset.is_empty());
        Self { name: name.to_owned(), task_type: None, subsets: subsets.map(str::to_owned).collect(), split }
    }

    fn takes(&self, entry: &TaskEntry) -> bool {
        let named = self.name == "*" || self.name == entry.card.name;
        let typed = self.task_type.as_deref().is_none_or(|name| entry.card.task_type.as_str() == name);
        named && typed
    }

    fn narrow(&self, entry: &Arc<TaskEntry>) -> Result<Selected, SelectionError> {
        let all = entry.card.subset_names();
        if let Some(unknown) = self.subsets.iter().find(|subset| !all.contains(&subset.as_str())) {
            return Err(SelectionError(format!(
                "task {}: expected subsets among {}, found: {unknown}",
                entry.card.name,
                all.join(", ")
            )));
        }
        let wanted =
            |subset: &&str| self.subsets.is_empty() || self.subsets.iter().any(|name| name == subset);
        let subsets = all.into_iter().filter(wanted).map(str::to_owned).collect();
        let splits = match &self.split {
            None => entry.card.eval_splits.clone(),
            Some(split) if entry.card.eval_splits.contains(split) => vec![split.clone()],
            Some(split) => {
                let splits = entry.card.eval_splits.join(", ");
                let message =
                    format!("task {}: expected a split among {splits}, found: {split}", entry.card.name);
                return Err(SelectionError(message));
            }
        };
        Ok(Selected { entry: Arc::clone(entry), subsets, splits })
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
        None => whole(registries.tasks())?,
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

fn whole(tasks: Vec<Arc<TaskEntry>>) -> Result<Vec<Selected>, SelectionError> {
    tasks.iter().map(|entry| TaskPattern::new("*").narrow(entry)).collect()
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
            let narrowed = pattern.narrow(&task.entry)?;
            match selected.iter_mut().find(|other| other.entry.card.name == narrowed.entry.card.name) {
                Some(other) => merge(other, &narrowed),
                None => selected.push(narrowed),
            }
        }
        if !found {
            return Err(SelectionError(no_such_task(&pattern.name, registries)));
        }
    }
    Ok(selected)
}

/// A task named twice is scored on all the subsets and splits that were named.
fn merge(into: &mut Selected, other: &Selected) {
    let card = &into.entry.card;
    let keep =
        |name: &str, left: &[String], right: &[String]| left.iter().chain(right).any(|found| found == name);
    let subsets = card.subset_names().into_iter().filter(|name| keep(name, &into.subsets, &other.subsets));
    let subsets = subsets.map(str::to_owned).collect();
    let splits = card.eval_splits.iter().filter(|name| keep(name, &into.splits, &other.splits));
    let splits = splits.cloned().collect();
    into.subsets = subsets;
    into.splits = splits;
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
        let card = &task.entry.card;
        task.subsets.retain(|subset| {
            card.subset_languages(subset).iter().any(|code| languages.iter().any(|wanted| fits(code, wanted)))
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
    fn a_pattern_names_task_split_and_subsets() {
        let pattern = TaskPattern::new("STS17@test:en-en, ar-ar");
        assert_eq!(pattern.name, "STS17");
        assert_eq!(pattern.split.as_deref(), Some("test"));
        assert_eq!(pattern.subsets, ["en-en", "ar-ar"]);
        assert_eq!(TaskPattern::new("type:STS").task_type.as_deref(), Some("STS"));
    }

    #[test]
    fn a_language_with_a_script_is_that_script_alone() {
        assert!(fits("min-Latn", "min"));
        assert!(fits("min-Latn", "min-Latn"));
        assert!(!fits("min-Arab", "min-Latn"));
    }
}

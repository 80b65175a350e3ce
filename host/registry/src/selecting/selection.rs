//! Selects the tasks that a command line names.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use mteb_base::suggest::{hint, hint_of_many, some};
use mteb_card::TaskType;

use super::benchmark::{BenchmarkFault, benchmark_tasks};
use super::narrowing::{beyond, is_named, narrow_as_taken, narrow_further};
use super::pattern::TaskPattern;
use super::selected::{Selected, merge, narrow_languages};
use super::selection_error::SelectionError;
use crate::checking::same_name::is_same_task;
use crate::languages::language::LanguageFilter;
use crate::{Origin, Registries, TaskEntry};

/// The selection on the command line. An empty list selects everything.
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

impl Filter {
    /// The names of the tasks, if the filter consists of task names only, without a benchmark or a
    /// type.
    pub fn named_tasks(&self) -> Option<HashSet<String>> {
        let patterns: Vec<TaskPattern> = self.tasks.iter().map(|task| TaskPattern::new(task)).collect();
        let is_narrow =
            self.benchmark.is_none() && !patterns.is_empty() && patterns.iter().all(TaskPattern::is_exact);
        is_narrow.then(|| patterns.iter().map(|pattern| pattern.name().to_owned()).collect())
    }
}

/// Selects the tasks of `registries` that match `filter`, in the order of the command line, the
/// benchmark or the registries.
///
/// # Errors
/// If a task, subset, split, benchmark, task type or language that was named does not exist, a task
/// that was named does not fit the rest, or a filter leaves nothing.
pub fn select(registries: &Registries, filter: &Filter) -> Result<Vec<Selected>, SelectionError> {
    let mut selected = match &filter.benchmark {
        Some(name) => of_benchmark(registries, name)?,
        None => whole(registries)?,
    };
    if !filter.tasks.is_empty() {
        selected = named(&selected, filter, registries)?;
    }
    check_task_types(&filter.task_types)?;
    let named: Vec<TaskPattern> = filter.tasks.iter().map(|task| TaskPattern::new(task)).collect();
    let is_named_exactly =
        |task: &Selected| named.iter().any(|pattern| pattern.is_exact() && is_named(pattern, &task.entry));
    if !filter.task_types.is_empty() {
        let wanted = |task: &Selected| {
            filter.task_types.iter().any(|name| same_word(name, task.entry.card.task_type.as_str()))
        };
        let (kept, dropped) = selected.into_iter().partition(wanted);
        selected = narrowed(kept, dropped, is_named_exactly, "--task-type", &filter.task_types, types_of)?;
    }
    if !filter.languages.is_empty() {
        let all = registries.loaded.iter().flat_map(|registry| &registry.tasks);
        let languages = languages(&filter.languages, all)?;
        let before = selected.clone();
        narrow_languages(&mut selected, &languages);
        let kept: HashSet<&str> = selected.iter().map(|task| task.entry.card.name.as_str()).collect();
        let is_dropped = |task: &Selected| !kept.contains(task.entry.card.name.as_str());
        let dropped = before.into_iter().filter(is_dropped).collect();
        selected =
            narrowed(selected, dropped, is_named_exactly, "--language", &filter.languages, languages_of)?;
    }
    Ok(selected)
}

/// Applies the filter and returns the remaining tasks.
///
/// # Errors
/// If it dropped a task that was named, or leaves nothing of something.
fn narrowed(
    kept: Vec<Selected>,
    dropped: Vec<Selected>,
    is_named: impl Fn(&Selected) -> bool,
    option: &str,
    wanted: &[String],
    facts: fn(&Selected) -> Vec<String>,
) -> Result<Vec<Selected>, SelectionError> {
    let wanted = wanted.iter().map(|wanted| format!("`{option} {wanted}`")).collect::<Vec<_>>().join(", ");
    if let Some(task) = dropped.iter().find(|task| is_named(task)) {
        let (task, found) = (task.entry.card.name.clone(), facts(task));
        let found = some(found.iter().map(String::as_str));
        return Err(SelectionError::NotMatching { task, wanted, found });
    }
    if kept.is_empty() && !dropped.is_empty() {
        let found: BTreeSet<String> = dropped.iter().flat_map(facts).collect();
        let found = some(found.iter().map(String::as_str));
        return Err(SelectionError::NoneLeft { wanted, tasks: dropped.len(), found });
    }
    Ok(kept)
}

fn types_of(task: &Selected) -> Vec<String> {
    vec![task.entry.card.task_type.to_string()]
}

fn languages_of(task: &Selected) -> Vec<String> {
    task.languages().into_iter().map(str::to_owned).collect()
}

/// Every task once, with all subsets and splits that any of the registries selects.
fn whole(registries: &Registries) -> Result<Vec<Selected>, SelectionError> {
    let mut selected: Vec<Selected> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for entry in registries.loaded.iter().flat_map(|registry| &registry.tasks) {
        let place = places.get(entry.card.name.as_str()).copied();
        // A task that several registries include is one task.
        if place.is_some_and(|place| Arc::ptr_eq(&selected[place].entry, entry)) {
            continue;
        }
        let task = narrow_as_taken(entry)?;
        match place {
            Some(place) if is_same_task(&selected[place].entry, entry) => {
                merge(&mut selected[place], &task);
            }
            Some(_) => {}
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
        let aliases = known.clone().flat_map(|benchmark| &benchmark.aliases).map(String::as_str);
        let aliases: Vec<&str> = aliases.collect();
        let known: Vec<&str> = known.map(|benchmark| benchmark.name.as_str()).collect();
        if known.is_empty() {
            let files: Vec<&str> = registries.loaded.iter().map(|registry| registry.file.as_str()).collect();
            let (found, registries) = (name.to_owned(), some(files));
            return Err(SelectionError::NoBenchmarks { found, registries });
        }
        let names = known.iter().chain(&aliases).copied();
        let near = hint_of_many(name, names, "mteb-host list benchmarks");
        return Err(SelectionError::NoBenchmark { found: name.to_owned(), near });
    };
    benchmark_tasks(benchmark, &registry.registry.name, &registry.tasks).map_err(|faults| {
        let all = registry.registry.benchmarks.iter();
        let place = all.take_while(|other| !std::ptr::eq(*other, benchmark)).count().to_string();
        let at_its_place = |fault: &BenchmarkFault| {
            let within = fault.path.iter().map(String::as_str);
            let path: Vec<&str> = ["benchmark", &place].into_iter().chain(within).collect();
            registry.fault(&path, fault.message.as_str())
        };
        SelectionError::Benchmark(faults.iter().map(at_its_place).collect())
    })
}

fn named(
    among: &[Selected],
    filter: &Filter,
    registries: &Registries,
) -> Result<Vec<Selected>, SelectionError> {
    let mut selected: Vec<Selected> = Vec::new();
    for text in &filter.tasks {
        let pattern = TaskPattern::new(text);
        let mut found = false;
        for task in among.iter().filter(|task| is_named(&pattern, &task.entry)) {
            found = true;
            let narrowed = narrow_further(task, &pattern)?;
            if let Some(benchmark) = &filter.benchmark
                && let Some(part) = beyond(task, &narrowed)
            {
                let (benchmark, found) = (benchmark.clone(), text.clone());
                return Err(SelectionError::NotOfBenchmark { benchmark, found, part });
            }
            match selected.iter_mut().find(|other| other.entry.card.name == narrowed.entry.card.name) {
                Some(other) => merge(other, &narrowed),
                None => selected.push(narrowed),
            }
        }
        if !found {
            return Err(no_such_task(&pattern, filter.benchmark.as_deref(), registries));
        }
    }
    Ok(selected)
}

fn no_such_task(pattern: &TaskPattern, benchmark: Option<&str>, registries: &Registries) -> SelectionError {
    if let Some(task_type) = pattern.task_type() {
        let near = hint(task_type, TaskType::known().into_iter().map(TaskType::as_str), "");
        return SelectionError::NoTaskOfType { found: task_type.to_owned(), near };
    }
    let name = pattern.name();
    outside(name, benchmark, registries).unwrap_or_else(|| unknown_task(name, registries, &[]))
}

/// Why a task that exists is not selected: it is not in the benchmark.
fn outside(name: &str, benchmark: Option<&str>, registries: &Registries) -> Option<SelectionError> {
    let is_known = || registries.tasks().iter().any(|task| task.card.name == name);
    let benchmark = benchmark.filter(|_| is_known())?;
    Some(SelectionError::OutsideBenchmark { benchmark: benchmark.to_owned(), found: name.to_owned() })
}

/// Why there is no task called `name`, which none of the registries has. `others` are names that
/// are known from elsewhere.
pub fn unknown_task(name: &str, registries: &Registries, others: &[&str]) -> SelectionError {
    let tasks = registries.tasks();
    let known = others.iter().copied().chain(tasks.iter().map(|task| task.card.name.as_str()));
    if let Some(pack) = registries.pack_with(name) {
        return SelectionError::OnlyInPack { task: name.to_owned(), pack: pack.to_owned() };
    }
    let near = hint(name, known, "`mteb-host list tasks` shows all");
    let has_own = tasks.iter().any(|task| matches!(task.origin, Origin::File(_)));
    SelectionError::NoTask { found: name.to_owned(), near, has_own }
}

fn check_task_types(names: &[String]) -> Result<(), SelectionError> {
    for name in names {
        let known: Vec<&str> = TaskType::known().into_iter().map(TaskType::as_str).collect();
        if !known.iter().any(|known| same_word(name, known)) {
            let (known, near) = (known.join(", "), hint(name, known.iter().copied(), ""));
            return Err(SelectionError::NoTaskType { known, found: name.clone(), near });
        }
    }
    Ok(())
}

fn same_word(left: &str, right: &str) -> bool {
    left.eq_ignore_ascii_case(right)
}

/// The languages that `wanted` stands for; `tasks` say which codes are used.
fn languages<'a>(
    wanted: &[String],
    tasks: impl Iterator<Item = &'a Arc<TaskEntry>>,
) -> Result<Vec<LanguageFilter>, SelectionError> {
    let used: BTreeSet<&str> = tasks.flat_map(|task| task.card.all_languages()).collect();
    wanted.iter().map(|language| LanguageFilter::new(language, &used)).collect()
}

//! What a leaderboard shows of a benchmark beside its means: groups of its tasks, and languages.

use std::collections::BTreeSet;
use std::sync::Arc;

use mteb_base::suggest::{hint, some};
use mteb_card::Aggregation;
use mteb_card::{Benchmark, Group};

use super::benchmark::{BenchmarkFault, known_tasks};
use super::narrowing::{beyond, is_named, narrow_further};
use super::pattern::TaskPattern;
use super::selected::{Selected, overlap};
use super::selection_error::SelectionError;
use crate::TaskEntry;
use crate::languages::language::LanguageFilter;

/// A group of tasks of a benchmark.
#[derive(Clone, Debug)]
pub struct SelectedGroup {
    /// By what the tasks are grouped.
    pub grouping: String,
    /// Which of these groups it is.
    pub label: String,
    /// Its tasks, with the subsets and splits of each that count.
    pub tasks: Vec<Selected>,
}

/// What a leaderboard shows of a benchmark.
#[derive(Clone, Debug, Default)]
pub struct BenchmarkView {
    /// Its means.
    pub means: Vec<Aggregation>,
    /// Its groups, in its own order.
    pub groups: Vec<SelectedGroup>,
    /// Codes of the languages that are shown one by one, as `vie-Latn`.
    pub languages: Vec<String>,
}

/// All that is wrong with a benchmark of a registry with these `tasks`.
pub fn benchmark_faults(
    benchmark: &Benchmark,
    registry: &str,
    tasks: &[Arc<TaskEntry>],
) -> Vec<BenchmarkFault> {
    let (selected, mut faults) = known_tasks(benchmark, registry, tasks);
    // If a name in `tasks` is wrong, errors that follow from it are not reported.
    let is_whole = faults.is_empty();
    let mut viewer = Viewer { benchmark, tasks, selected: &selected, is_whole, faults: Vec::new() };
    viewer.view();
    faults.extend(viewer.faults);
    faults
}

/// What a leaderboard shows of a benchmark whose tasks are `selected`; what is wrong with it is
/// skipped, because it is said when its registry is checked.
pub fn benchmark_view(
    benchmark: &Benchmark,
    tasks: &[Arc<TaskEntry>],
    selected: &[Selected],
) -> BenchmarkView {
    Viewer { benchmark, tasks, selected, is_whole: true, faults: Vec::new() }.view()
}

struct Viewer<'a> {
    benchmark: &'a Benchmark,
    /// All tasks of the registry.
    tasks: &'a [Arc<TaskEntry>],
    /// Those of the benchmark.
    selected: &'a [Selected],
    /// True if no task of the benchmark is missing.
    is_whole: bool,
    faults: Vec<BenchmarkFault>,
}

impl Viewer<'_> {
    fn fault(&mut self, path: &[&str], message: &str) {
        self.faults.push(BenchmarkFault::new(self.benchmark, path, message));
    }

    fn view(&mut self) -> BenchmarkView {
        let benchmark = self.benchmark;
        let mut groups: Vec<SelectedGroup> = Vec::new();
        for (index, group) in benchmark.groups.iter().enumerate() {
            let place = index.to_string();
            self.check_names(group, &place, &benchmark.groups[..index]);
            let tasks = self.group_tasks(group, &place, &groups);
            let (grouping, label) = (group.grouping.clone(), group.label.clone());
            groups.push(SelectedGroup { grouping, label, tasks });
        }
        let means = benchmark.aggregations().to_vec();
        BenchmarkView { means, groups, languages: self.languages() }
    }

    fn check_names(&mut self, group: &Group, place: &str, before: &[Group]) {
        for (key, name) in [("grouping", &group.grouping), ("label", &group.label)] {
            if name.trim().is_empty() {
                self.fault(&["group", place, key], &format!("group: expected a name in `{key}`, found none"));
            }
        }
        if before.iter().any(|other| (&other.grouping, &other.label) == (&group.grouping, &group.label)) {
            let message = format!("expected each group once, found twice: {}", name_of(group));
            self.fault(&["group", place, "label"], &message);
        }
        if group.tasks.is_empty() {
            let message = format!("group {}: expected at least one task, found none", name_of(group));
            self.fault(&["group", place, "tasks"], &message);
        }
    }

    /// The tasks of a group. `before` are the groups above it: those of one grouping share no
    /// score, as in the reference.
    fn group_tasks(&mut self, group: &Group, place: &str, before: &[SelectedGroup]) -> Vec<Selected> {
        let mut tasks: Vec<Selected> = Vec::new();
        for (index, text) in group.tasks.iter().enumerate() {
            let at = ["group", place, "tasks", &index.to_string()];
            let found = match self.named_in_group(text) {
                Ok(found) => found,
                Err(message) => {
                    self.fault(&at, &format!("group {}: {message}", name_of(group)));
                    continue;
                }
            };
            for task in found {
                let name = &task.entry.card.name;
                let others = before.iter().filter(|other| other.grouping == group.grouping);
                let mut others = others.filter(|other| other.label != group.label);
                if tasks.iter().any(|other| overlap(other, &task)) {
                    let message =
                        format!("group {}: expected each task once, found twice: {name}", name_of(group));
                    self.fault(&at, &message);
                } else if let Some(other) =
                    others.find(|other| other.tasks.iter().any(|other| overlap(other, &task)))
                {
                    let (grouping, label) = (&group.grouping, &other.label);
                    let message = format!(
                        "group {}: expected a task that no other group of `{grouping}` has, found one of {label}: {name}; \
                         give one of the two groups another `grouping`",
                        name_of(group)
                    );
                    self.fault(&at, &message);
                } else {
                    tasks.push(task);
                }
            }
        }
        tasks
    }

    /// What a text of a group takes of the tasks of the benchmark.
    fn named_in_group(&self, text: &str) -> Result<Vec<Selected>, SelectionError> {
        let pattern = TaskPattern::new(text);
        let fitting = self.selected.iter().filter(|task| is_named(&pattern, &task.entry));
        let fitting: Vec<&Selected> = fitting.collect();
        if fitting.is_empty() {
            return if self.is_whole || !self.is_known(&pattern) {
                Err(self.no_member(&pattern, text))
            } else {
                Ok(Vec::new())
            };
        }
        if let Some(subset) = pattern.twice() {
            let (subset, found) = (subset.to_owned(), text.to_owned());
            return Err(SelectionError::SubsetTwice { subset, found });
        }
        let mut found = Vec::new();
        for task in fitting {
            let narrowed = narrow_further(task, &pattern)?;
            if let Some(part) = beyond(task, &narrowed) {
                return Err(SelectionError::PartOfGroup { found: text.to_owned(), part });
            }
            found.push(narrowed);
        }
        Ok(found)
    }

    fn is_known(&self, pattern: &TaskPattern) -> bool {
        self.tasks.iter().any(|entry| is_named(pattern, entry))
    }

    fn no_member(&self, pattern: &TaskPattern, text: &str) -> SelectionError {
        let own = || self.selected.iter().map(|task| &task.entry.card);
        if let Some(task_type) = pattern.task_type() {
            let near = hint(task_type, own().map(|card| card.task_type.as_str()), "");
            return SelectionError::NoTypeInBenchmark { task_type: task_type.to_owned(), near };
        }
        if self.is_known(pattern) {
            return SelectionError::OnlyInGroup { found: text.to_owned() };
        }
        let near = hint(pattern.name(), own().map(|card| card.name.as_str()), "");
        SelectionError::NoMember { found: text.to_owned(), near }
    }

    /// The codes of the languages that are shown one by one.
    fn languages(&mut self) -> Vec<String> {
        let benchmark = self.benchmark;
        if benchmark.language_view.is_empty() {
            return Vec::new();
        }
        let own: BTreeSet<&str> = self.selected.iter().flat_map(Selected::languages).collect();
        let used: BTreeSet<&str> = self.tasks.iter().flat_map(|task| task.card.all_languages()).collect();
        let mut shown: Vec<String> = Vec::new();
        for (index, text) in benchmark.language_view.iter().enumerate() {
            let at = ["language_view", &index.to_string()];
            let codes: Vec<&str> = if text == "*" {
                own.iter().copied().collect()
            } else {
                match LanguageFilter::exact(text, &used) {
                    Ok(filter) => own.iter().copied().filter(|code| filter.takes(code)).collect(),
                    Err(error) => {
                        self.fault(&at, &error.to_string());
                        continue;
                    }
                }
            };
            if codes.is_empty() && self.is_whole && benchmark.absent.is_empty() && !own.is_empty() {
                let languages = some(own.iter().copied());
                let message = format!(
                    "expected a language of its tasks, found: {text}; their languages are: {languages}"
                );
                self.fault(&at, &message);
            }
            if let Some(code) = codes.iter().find(|code| shown.iter().any(|other| other == *code)) {
                let message = format!("expected each language once, found twice: {code}");
                self.fault(&at, &message);
                continue;
            }
            shown.extend(codes.into_iter().map(str::to_owned));
        }
        shown
    }
}

/// A group as messages name it.
fn name_of(group: &Group) -> String {
    format!("{}/{}", group.grouping, group.label)
}

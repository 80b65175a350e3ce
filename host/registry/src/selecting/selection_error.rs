//! Why nothing is selected: a command line or a benchmark names something that does not exist, or that its other words exclude.

use crate::Fault;

/// Tasks, subsets, splits, languages or benchmarks that are asked for and are not there. Each `near` is empty, or says in brackets what
/// may be meant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SelectionError {
    /// A task lacks a split or subsets.
    #[error("task {task}: {}", in_a_line(.parts))]
    Parts {
        /// The task.
        task: String,
        /// What it lacks.
        parts: Vec<SelectionError>,
    },
    /// A task has no such split.
    #[error("expected a split among {known}; found: {found}{near}")]
    NoSplit {
        /// Its splits.
        known: String,
        /// The name.
        found: String,
        /// Those that may be meant.
        near: String,
    },
    /// A task has no such subsets.
    #[error("expected subsets among {known}; found: {found}")]
    NoSubsets {
        /// Its subsets.
        known: String,
        /// The names, each with those that may be meant.
        found: String,
    },
    /// A task that is named does not match an option.
    #[error(
        "task {task}: expected one that matches {wanted}, found: {found}; leave out the task or the option"
    )]
    NotMatching {
        /// The task.
        task: String,
        /// The option with its values.
        wanted: String,
        /// What the task has.
        found: String,
    },
    /// An option leaves no task.
    #[error("no task matches: {wanted} leaves none of {}, which have: {found}", number(*.tasks))]
    NoneLeft {
        /// The option with its values.
        wanted: String,
        /// Number of tasks that there were.
        tasks: usize,
        /// What they have.
        found: String,
    },
    /// No registry has a benchmark.
    #[error("expected a benchmark, found: {found}; no registry that was read has any: {registries}")]
    NoBenchmarks {
        /// The name.
        found: String,
        /// The registries.
        registries: String,
    },
    /// No benchmark has this name.
    #[error("expected the name of a benchmark, found: {found}{near}")]
    NoBenchmark {
        /// The name.
        found: String,
        /// Those that may be meant.
        near: String,
    },
    /// A benchmark cannot be read.
    #[error("{}", in_a_line(.0))]
    Benchmark(Vec<Fault>),
    /// A part of a task is not in the benchmark that was named.
    #[error(
        "expected a part of the task that the benchmark {benchmark} uses, found: {found}, whose {part} it does not use; leave \
         out `--benchmark`"
    )]
    NotOfBenchmark {
        /// The benchmark.
        benchmark: String,
        /// The task with its parts, as it was named.
        found: String,
        /// The part.
        part: String,
    },
    /// A task is not in the benchmark that was named.
    #[error("expected a task of the benchmark {benchmark}, found: {found}; leave out `--benchmark`")]
    OutsideBenchmark {
        /// The benchmark.
        benchmark: String,
        /// The task.
        found: String,
    },
    /// No task is of this type.
    #[error("expected a task type that has tasks, found: {found}{near}")]
    NoTaskOfType {
        /// The type.
        found: String,
        /// Those that may be meant.
        near: String,
    },
    /// There is no such type.
    #[error("expected a task type among {known}; found: {found}{near}")]
    NoTaskType {
        /// All types.
        known: String,
        /// The name.
        found: String,
        /// Those that may be meant.
        near: String,
    },
    /// A task is in a pack that no registry names.
    #[error(
        "expected a task of a registry, found: {task}, which the plugin `{pack}` provides and no registry that was read names; \
         write a registry with `packs = [\"{pack}\"]` and name it with `--registry FILE`"
    )]
    OnlyInPack {
        /// The task.
        task: String,
        /// The pack.
        pack: String,
    },
    /// There is no such task.
    #[error(
        "expected the name of a task, found: {found}{near}{}",
        if *.has_own { "" } else { "; name a card of your own with `--registry FILE`" }
    )]
    NoTask {
        /// The name.
        found: String,
        /// Those that may be meant.
        near: String,
        /// True if a card in a file was read.
        has_own: bool,
    },
    /// There is no such language.
    #[error(
        "expected a language such as `ind`, `ind-Latn`, `id` or `Indonesian` (ISO 639, ISO 15924), found: {found}{near}"
    )]
    NoLanguage {
        /// The name.
        found: String,
        /// Those that may be meant.
        near: String,
    },
    /// A group of a benchmark names a type that none of its tasks has.
    #[error("the benchmark has no task of the type {task_type}{near}")]
    NoTypeInBenchmark {
        /// The type.
        task_type: String,
        /// Those that may be meant.
        near: String,
    },
    /// A group of a benchmark names a task that the benchmark does not.
    #[error(
        "expected a task of the benchmark, found: {found}, which is not among its `tasks`; name it there too, or leave it out"
    )]
    OnlyInGroup {
        /// The task, as it was named.
        found: String,
    },
    /// A group of a benchmark names a task that does not exist.
    #[error("expected a task of the benchmark, found: {found}{near}")]
    NoMember {
        /// The task, as it was named.
        found: String,
        /// Those that may be meant.
        near: String,
    },
    /// A group of a benchmark names a subset twice.
    #[error("expected each subset once, found twice: {subset} in {found}")]
    SubsetTwice {
        /// The subset.
        subset: String,
        /// The task with its subsets, as it was named.
        found: String,
    },
    /// A group of a benchmark names a part of a task that the benchmark does not use.
    #[error(
        "expected a part of the task that the benchmark uses, found: {found}, whose {part} it does not use"
    )]
    PartOfGroup {
        /// The task with its parts, as it was named.
        found: String,
        /// The part.
        part: String,
    },
}

fn in_a_line(faults: &[impl ToString]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

fn number(tasks: usize) -> String {
    if tasks == 1 { "the one task".to_owned() } else { format!("{tasks} tasks") }
}

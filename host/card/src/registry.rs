//! A registry: a TOML file that names packs, cards, plugins, benchmarks and other registries.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A registry file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Registry {
    /// Version of the schema; always 1.
    pub schema: u32,
    /// Name for `--registry`.
    pub name: String,
    /// What it contains, in one line.
    #[serde(default)]
    pub title: String,
    /// Who wrote and judged the data of its own tasks, and what this implies; `show benchmark`
    /// prints it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<String>,
    /// Task packs whose tasks it contains, by plugin name; `name@1` is the first edition of a pack
    /// with several.
    #[serde(default)]
    pub packs: Vec<String>,
    /// Its task cards: files or folders, relative to this file.
    #[serde(default)]
    pub cards: Vec<String>,
    /// Which of the tasks of `cards` it contains, in this order: `Name`, `Name:subset,subset`,
    /// `Name@split`; empty for all. The card of a task is the file `Name.toml`, so that registries
    /// can share a folder of cards.
    #[serde(default)]
    pub tasks: Vec<String>,
    /// Languages to which tasks named without subsets are restricted, e.g. `ind` or `ind-Latn`;
    /// empty for all.
    #[serde(default)]
    pub languages: Vec<String>,
    /// Registries it includes, by name; to include only some tasks of one:
    /// `{ registry = "mteb", tasks = ["STSBenchmark"] }`.
    #[serde(default)]
    pub include: Vec<Include>,
    /// Model plugins that its users need, by plugin name.
    #[serde(default)]
    pub plugins: Vec<String>,
    /// Its benchmarks.
    #[serde(default, rename = "benchmark")]
    pub benchmarks: Vec<Benchmark>,
}

/// A named selection of tasks with a mean.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Benchmark {
    /// Name for `--benchmark`.
    pub name: String,
    /// What it measures, in one line.
    #[serde(default)]
    pub title: String,
    /// Other names for `--benchmark`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// Benchmarks that replace this one, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub superseded_by: Vec<String>,
    /// URL of a description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Tasks: `Name`, `Name:subset,subset`, `Name@split`, `Name@split:subset`, `type:STS`, or `*` for all of the registry.
    pub tasks: Vec<String>,
    /// Tasks of the benchmark that have no card: a mean without them is not the benchmark's mean.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<String>,
    /// Languages to which the tasks are restricted, e.g. `ind` or `ind-Latn`; empty for all. They
    /// match exactly: unlike on the command line, a macrolanguage does not stand for its members,
    /// so that a benchmark never changes.
    #[serde(default)]
    pub languages: Vec<String>,
    /// Means that a leaderboard shows; empty for the mean over tasks, over task types, and one mean
    /// per task type.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aggregations: Vec<Aggregation>,
    /// Languages that a leaderboard shows one by one, e.g. `ind` or `ind-Latn`; `*` for all of its
    /// tasks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub language_view: Vec<String>,
    /// False if leaderboards should not show the zero-shot percentage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zero_shot: Option<bool>,
    /// BibTeX entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub citation: Option<String>,
    /// Groups of tasks, each with its own mean.
    #[serde(default, rename = "group", skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Group>,
}

/// Tasks of a benchmark that have their own mean.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Criterion of the groups, e.g. `Context Length`.
    pub grouping: String,
    /// Name of this group, e.g. `256`.
    pub label: String,
    /// Its tasks, as the benchmark names them.
    pub tasks: Vec<String>,
}

/// A mean that the leaderboard of a benchmark shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Aggregation {
    /// Over tasks.
    MeanTask,
    /// Over the means of the task types.
    MeanTaskType,
    /// One a task type.
    TaskTypes,
    /// One over public tasks, one over private ones.
    PublicPrivate,
    /// Over subsets.
    MeanSubset,
}

impl Benchmark {
    /// True if `name` is its name, or another by which it is known.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.iter().any(|alias| alias == name)
    }

    /// The means that a leaderboard shows.
    pub fn aggregations(&self) -> &[Aggregation] {
        const USUAL: [Aggregation; 3] =
            [Aggregation::MeanTask, Aggregation::MeanTaskType, Aggregation::TaskTypes];
        if self.aggregations.is_empty() { &USUAL } else { &self.aggregations }
    }
}

/// A registry by its name or file, or one with the tasks that are taken of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Include {
    /// The whole registry.
    Whole(String),
    /// Some of its tasks.
    Tasks(IncludedTasks),
}

/// Tasks of another registry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IncludedTasks {
    /// The registry, by its name or file.
    pub registry: String,
    /// Which of its tasks: `Name`, `Name:subset,subset`, `Name@split`.
    pub tasks: Vec<String>,
}

impl Include {
    /// The name or file of the registry.
    pub fn registry(&self) -> &str {
        match self {
            Self::Whole(registry) => registry,
            Self::Tasks(some) => &some.registry,
        }
    }

    /// The tasks that are taken of it; `None` for all.
    pub fn tasks(&self) -> Option<&[String]> {
        match self {
            Self::Whole(_) => None,
            Self::Tasks(some) => Some(&some.tasks),
        }
    }
}

/// The plugins that were found, as far as registries name them.
pub trait Packs {
    /// The names of all plugins, in order of precedence.
    fn names(&self) -> Vec<&str>;

    /// The cards of the plugin called `name`: task, behind it `@` and an earlier edition = TOML text. `None` if there is no
    /// such plugin; empty for one that is no task pack.
    fn cards(&self, name: &str) -> Option<&BTreeMap<String, String>>;

    /// True if the plugin called `name` is part of the program, whose cards were checked when it was built.
    fn is_bundled(&self, _name: &str) -> bool {
        false
    }

    /// True if a plugin was refused, which may be a pack that a registry names.
    fn has_refused(&self) -> bool;
}

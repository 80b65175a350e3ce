//! A registry: a TOML file that names packs, cards, plugins and benchmarks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A registry file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Registry {
    /// Version of this form; always 1.
    pub schema: u32,
    /// Name by which `--registry` finds it.
    pub name: String,
    /// One line on what it holds.
    #[serde(default)]
    pub title: String,
    /// Task packs whose tasks it holds, by plugin name.
    #[serde(default)]
    pub packs: Vec<String>,
    /// Task cards it holds: files or folders, relative to this file.
    #[serde(default)]
    pub cards: Vec<String>,
    /// Which of the tasks of `cards` it holds, in this order: `Name`, `Name:subset,subset`, `Name@split`; empty for all. The
    /// card of a task is the file `Name.toml`, so that registries can share a folder of cards.
    #[serde(default)]
    pub tasks: Vec<String>,
    /// Registries it takes in, by name.
    #[serde(default)]
    pub include: Vec<String>,
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
    /// Name by which `--benchmark` finds it.
    pub name: String,
    /// One line on what it measures.
    #[serde(default)]
    pub title: String,
    /// Tasks: `Name`, `Name:subset,subset`, `Name@split`, `Name@split:subset`, `type:STS`, or `*` for all of the registry.
    pub tasks: Vec<String>,
    /// Languages to which the tasks are narrowed, as `ind` or `ind-Latn`; empty for all. Exactly these: a macrolanguage does not
    /// stand for its members here, as it does on the command line, so that a benchmark stays what it is.
    #[serde(default)]
    pub languages: Vec<String>,
}

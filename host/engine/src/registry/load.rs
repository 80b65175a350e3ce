//! Registries with all their tasks.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use mteb_card::TaskCard;
use mteb_plugin_api::{Benchmark, Registry};

use super::Fault;
use super::pattern::TaskPattern;
use super::reader::Reader;
use super::same_name::same_names;
use super::source::{RegistrySource, known_registries, registry_named};
use crate::plugins::Catalog;

/// One task and where its card came from.
#[derive(Clone, Debug)]
pub struct TaskEntry {
    /// The card.
    pub card: Arc<TaskCard>,
    /// Where the card came from.
    pub origin: Origin,
    /// Name of the registry that brought it.
    pub registry: String,
    /// The registry's file, beside which its lock lies; of a card on its own the card's.
    pub home: RegistrySource,
    /// What the registry takes of the task.
    pub taken: TaskPattern,
    /// The tasks whose mean this one is.
    pub members: Vec<Arc<TaskEntry>>,
}

/// Where a card came from; relative data paths start there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A task pack.
    Pack(String),
    /// A file.
    File(PathBuf),
    /// The binary.
    Embedded(String),
}

impl Origin {
    /// Where the card came from, for messages.
    pub fn shown(&self) -> String {
        match self {
            Self::Pack(pack) => format!("the task pack {pack}"),
            Self::File(path) => path.display().to_string(),
            Self::Embedded(name) => name.clone(),
        }
    }
}

/// One registry after reading.
#[derive(Clone, Debug)]
pub struct LoadedRegistry {
    /// What its file says.
    pub registry: Registry,
    /// Its file, for messages.
    pub file: String,
    /// Its tasks, those of included registries too.
    pub tasks: Vec<Arc<TaskEntry>>,
}

/// All registries that were asked for.
#[derive(Clone, Debug, Default)]
pub struct Registries {
    /// In the order asked for.
    pub loaded: Vec<LoadedRegistry>,
    /// What is wrong in their files; the cards at fault are left out.
    pub faults: Vec<Fault>,
    /// Tasks of one name that differ, and which of them counts.
    pub warnings: Vec<Fault>,
}

impl Registries {
    /// Reads the registries called `names`, or every known one if there are none.
    pub fn load(names: &[String], catalog: &Catalog) -> Self {
        let mut reader = Reader::new(catalog);
        let mut loaded = Vec::new();
        if names.is_empty() {
            loaded.extend(known_registries().values().filter_map(|source| reader.registry(source)));
        }
        for name in names {
            match registry_named(name) {
                Ok(source) => loaded.extend(reader.registry(&source)),
                Err(fault) => reader.faults.push(fault),
            }
        }
        let mut warnings = same_names(&loaded, catalog);
        warnings.extend(reader.warnings);
        Self { loaded, faults: reader.faults, warnings }
    }

    /// Every task once, by name; the first registry that brings a name wins.
    pub fn tasks(&self) -> Vec<Arc<TaskEntry>> {
        let mut seen = HashSet::new();
        let all = self.loaded.iter().flat_map(|registry| &registry.tasks);
        all.filter(|task| seen.insert(task.card.name.clone())).cloned().collect()
    }

    /// The benchmark called `name` and the registry that brings it.
    pub fn benchmark(&self, name: &str) -> Option<(&Benchmark, &LoadedRegistry)> {
        self.loaded.iter().find_map(|registry| {
            let benchmark = registry.registry.benchmarks.iter().find(|benchmark| benchmark.name == name)?;
            Some((benchmark, registry))
        })
    }
}

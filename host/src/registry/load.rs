//! Reads registries and all their cards into one list of tasks.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use mteb_plugin_api::card::TaskCard;
use mteb_plugin_api::{Benchmark, Registry};

use super::source::{RegistrySource, Text, known_registries, registry_named};
use super::{Fault, Locator, check_card, check_registry};
use crate::plugins::Catalog;

/// One task and where its card came from.
#[derive(Clone, Debug)]
pub struct TaskEntry {
    /// The card.
    pub card: TaskCard,
    /// Where the card came from.
    pub origin: Origin,
    /// Name of the registry that brought it.
    pub registry: String,
    /// The registry's file, beside which its lock lies; of a card on its own the card's.
    pub home: RegistrySource,
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
}

impl Registries {
    /// Reads the registries called `names`, or every known one if there are none.
    pub fn load(names: &[String], catalog: &Catalog) -> Self {
        let mut registries = Self::default();
        if names.is_empty() {
            for source in known_registries().into_values() {
                registries.add(&source, catalog);
            }
            return registries;
        }
        for name in names {
            match registry_named(name) {
                Ok(source) => registries.add(&source, catalog),
                Err(fault) => registries.faults.push(fault),
            }
        }
        registries
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

    fn add(&mut self, source: &RegistrySource, catalog: &Catalog) {
        let mut reader = Reader { catalog, faults: Vec::new(), path: Vec::new() };
        if let Some(loaded) = reader.registry(source) {
            self.loaded.push(loaded);
        }
        self.faults.append(&mut reader.faults);
    }
}

struct Reader<'a> {
    catalog: &'a Catalog,
    faults: Vec<Fault>,
    /// Registries that are being read, to find an include that leads back to itself.
    path: Vec<String>,
}

impl Reader<'_> {
    fn registry(&mut self, source: &RegistrySource) -> Option<LoadedRegistry> {
        let text = match source.read() {
            Ok(text) => text,
            Err(fault) => {
                self.faults.push(fault);
                return None;
            }
        };
        if is_card(&text.text) {
            return self.single_card(source, &text);
        }
        let locator = Locator::new(&text.file, &text.text);
        let registry: Registry = match toml::from_str(&text.text) {
            Ok(registry) => registry,
            Err(error) => {
                self.faults.push(locator.fault_at(error.span(), error.message()));
                return None;
            }
        };
        self.faults.extend(check_registry(&registry, &locator));
        self.path.push(registry.name.clone());
        let tasks = self.tasks(source, &registry, &locator);
        self.path.pop();
        Some(LoadedRegistry { registry, file: text.file, tasks })
    }

    fn tasks(
        &mut self,
        source: &RegistrySource,
        registry: &Registry,
        locator: &Locator,
    ) -> Vec<Arc<TaskEntry>> {
        let mut tasks = Vec::new();
        for (index, pack) in registry.packs.iter().enumerate() {
            match self.catalog.plugin(pack) {
                Some(plugin) => {
                    for (name, card) in &plugin.cards {
                        let text = Text { file: format!("{pack}/{name}"), text: card.clone(), path: None };
                        tasks.extend(self.card(&text, Origin::Pack(pack.clone()), &registry.name, source));
                    }
                }
                None => self.faults.push(locator.fault(
                    &["packs", &index.to_string()],
                    format!(
                        "expected the task pack `{pack}` among the plugins, found none; \
                         `mteb-host doctor` lists the folders that were searched"
                    ),
                )),
            }
        }
        for (index, entry) in registry.cards.iter().enumerate() {
            match source.cards(entry) {
                Ok(texts) => {
                    for text in texts {
                        let origin = match &text.path {
                            Some(path) => Origin::File(path.clone()),
                            None => Origin::Embedded(text.file.clone()),
                        };
                        tasks.extend(self.card(&text, origin, &registry.name, source));
                    }
                }
                Err(fault) => {
                    self.faults.push(locator.fault(&["cards", &index.to_string()], fault.to_string()));
                }
            }
        }
        for (index, name) in registry.include.iter().enumerate() {
            tasks.extend(self.included(name, locator, index));
        }
        self.without_duplicates(tasks, registry)
    }

    fn included(&mut self, name: &str, locator: &Locator, index: usize) -> Vec<Arc<TaskEntry>> {
        let index = index.to_string();
        if self.path.iter().any(|reading| reading == name) {
            let message = format!("registry `{name}` includes itself");
            self.faults.push(locator.fault(&["include", &index], message));
            return Vec::new();
        }
        match registry_named(name) {
            Ok(source) => self.registry(&source).map(|loaded| loaded.tasks).unwrap_or_default(),
            Err(fault) => {
                self.faults.push(locator.fault(&["include", &index], fault.message));
                Vec::new()
            }
        }
    }

    fn without_duplicates(&mut self, tasks: Vec<Arc<TaskEntry>>, registry: &Registry) -> Vec<Arc<TaskEntry>> {
        let mut seen = HashSet::new();
        let (kept, twice): (Vec<_>, Vec<_>) =
            tasks.into_iter().partition(|task| seen.insert(task.card.name.clone()));
        for task in twice.iter().filter(|task| task.registry == registry.name) {
            let message = format!("registry {}: two cards are called {}", registry.name, task.card.name);
            self.faults.push(Fault::of_file(registry.name.clone(), message));
        }
        kept
    }

    fn single_card(&mut self, source: &RegistrySource, text: &Text) -> Option<LoadedRegistry> {
        let origin = text.path.clone().map_or_else(|| Origin::Embedded(text.file.clone()), Origin::File);
        let task = self.card(text, origin, &text.file, source)?;
        let registry = Registry { schema: 1, name: task.card.name.clone(), ..Registry::default() };
        Some(LoadedRegistry { registry, file: text.file.clone(), tasks: vec![task] })
    }

    fn card(
        &mut self,
        text: &Text,
        origin: Origin,
        registry: &str,
        home: &RegistrySource,
    ) -> Option<Arc<TaskEntry>> {
        let locator = Locator::new(&text.file, &text.text);
        let card = match TaskCard::from_toml(&text.text) {
            Ok(card) => card,
            Err(error) => {
                self.faults.push(locator.fault_at(error.span, error.message));
                return None;
            }
        };
        let faults = check_card(&card, &locator);
        let sound = faults.is_empty();
        self.faults.extend(faults);
        let (registry, home) = (registry.to_owned(), home.clone());
        sound.then(|| Arc::new(TaskEntry { card, origin, registry, home }))
    }
}

/// A file with a task type is a card; it stands for a registry of one task.
fn is_card(text: &str) -> bool {
    toml::from_str::<toml::Table>(text)
        .is_ok_and(|table| table.contains_key("type") && table.contains_key("dataset"))
}

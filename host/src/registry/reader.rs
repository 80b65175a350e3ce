//! Reads registries and the cards that they name.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use mteb_plugin_api::Registry;
use mteb_plugin_api::card::TaskCard;

use super::pattern::TaskPattern;
use super::source::{RegistrySource, Text, registry_named};
use super::{Fault, LoadedRegistry, Locator, Origin, TaskEntry, check_card, check_registry};
use crate::plugins::Catalog;

/// Reads registries; a card that several of them name is read once.
pub struct Reader<'a> {
    /// What is wrong in the files that were read.
    pub faults: Vec<Fault>,
    catalog: &'a Catalog,
    /// Cards by file; `None` for a card that is at fault.
    cards: HashMap<String, Option<Arc<TaskCard>>>,
    /// Registries that are being read, to find an include that leads back to itself.
    path: Vec<String>,
}

impl<'a> Reader<'a> {
    /// A reader that knows the plugins of `catalog`.
    pub fn new(catalog: &'a Catalog) -> Self {
        Self { faults: Vec::new(), catalog, cards: HashMap::new(), path: Vec::new() }
    }

    /// Reads a registry with all its cards; `None` if its file cannot be read.
    pub fn registry(&mut self, source: &RegistrySource) -> Option<LoadedRegistry> {
        let text = match source.read() {
            Ok(text) => text,
            Err(fault) => {
                self.faults.push(fault);
                return None;
            }
        };
        if is_card(&text) {
            return self.single_card(source, &text);
        }
        let locator = Locator::new(&text.file, &text.text);
        let registry: Registry = match text.parse() {
            Ok(registry) => registry,
            Err(error) => {
                self.faults.push(locator.fault_at(error.span(), error.message()));
                return None;
            }
        };
        self.faults.extend(check_registry(&registry, &locator));
        self.path.push(registry.name.clone());
        let mut tasks = self.packs(source, &registry, &locator);
        if registry.tasks.is_empty() {
            tasks.extend(self.folders(source, &registry, &locator));
        } else {
            tasks.extend(self.named(source, &registry, &locator));
        }
        for (index, name) in registry.include.iter().enumerate() {
            tasks.extend(self.included(name, &locator, index));
        }
        self.path.pop();
        let tasks = self.without_duplicates(tasks, &registry);
        Some(LoadedRegistry { registry, file: text.file, tasks })
    }

    fn packs(
        &mut self,
        home: &RegistrySource,
        registry: &Registry,
        locator: &Locator,
    ) -> Vec<Arc<TaskEntry>> {
        let mut tasks = Vec::new();
        for (index, pack) in registry.packs.iter().enumerate() {
            let Some(plugin) = self.catalog.plugin(pack) else {
                self.faults.push(locator.fault(
                    &["packs", &index.to_string()],
                    format!(
                        "expected the task pack `{pack}` among the plugins, found none; \
                         `mteb-host doctor` lists the folders that were searched"
                    ),
                ));
                continue;
            };
            for (name, card) in &plugin.cards {
                let text = Text::new(format!("{pack}/{name}"), card.clone());
                let origin = Origin::Pack(pack.clone());
                tasks.extend(self.entry(&text, origin, &registry.name, home, TaskPattern::default()));
            }
        }
        tasks
    }

    /// All cards of the files and folders that the registry names.
    fn folders(
        &mut self,
        home: &RegistrySource,
        registry: &Registry,
        locator: &Locator,
    ) -> Vec<Arc<TaskEntry>> {
        let mut tasks = Vec::new();
        for (index, entry) in registry.cards.iter().enumerate() {
            match home.cards(entry) {
                Ok(texts) => {
                    for text in texts {
                        let origin = origin(&text);
                        let whole = TaskPattern::default();
                        tasks.extend(self.entry(&text, origin, &registry.name, home, whole));
                    }
                }
                Err(fault) => {
                    self.faults.push(locator.fault(&["cards", &index.to_string()], fault.to_string()));
                }
            }
        }
        tasks
    }

    /// The tasks that the registry names, from its files and folders.
    fn named(
        &mut self,
        home: &RegistrySource,
        registry: &Registry,
        locator: &Locator,
    ) -> Vec<Arc<TaskEntry>> {
        let mut tasks = Vec::new();
        for (index, name) in registry.tasks.iter().enumerate() {
            let index = index.to_string();
            let pattern = TaskPattern::new(name);
            match card_of(home, registry, pattern.name()) {
                Ok(text) => {
                    let Some(task) = self.entry(&text, origin(&text), &registry.name, home, pattern) else {
                        continue;
                    };
                    if let Err(error) = TaskPattern::default().narrow(&task) {
                        self.faults.push(locator.fault(&["tasks", &index], error.to_string()));
                        continue;
                    }
                    tasks.push(task);
                }
                Err(message) => self.faults.push(locator.fault(&["tasks", &index], message)),
            }
        }
        tasks
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
        let task = self.entry(text, origin(text), &text.file, source, TaskPattern::default())?;
        let registry = Registry { schema: 1, name: task.card.name.clone(), ..Registry::default() };
        Some(LoadedRegistry { registry, file: text.file.clone(), tasks: vec![task] })
    }

    fn entry(
        &mut self,
        text: &Text,
        origin: Origin,
        registry: &str,
        home: &RegistrySource,
        taken: TaskPattern,
    ) -> Option<Arc<TaskEntry>> {
        let card = self.card(text)?;
        let members: Vec<(Arc<TaskCard>, Origin)> = (0..card.members.len())
            .map(|index| self.member(text, index, &card.members[index]))
            .collect::<Option<_>>()?;
        let (registry, home) = (registry.to_owned(), home.clone());
        let entry = |(card, origin), taken, members| {
            let (registry, home) = (registry.clone(), home.clone());
            Arc::new(TaskEntry { card, origin, registry, home, taken, members })
        };
        let members =
            members.into_iter().map(|member| entry(member, TaskPattern::default(), Vec::new())).collect();
        Some(entry((card, origin), taken, members))
    }

    /// The card of a task whose mean with others the task of `text` is.
    fn member(&mut self, text: &Text, index: usize, name: &str) -> Option<(Arc<TaskCard>, Origin)> {
        let found = match text.beside(name) {
            Ok(Some(found)) => Ok((self.card(&found)?, origin(&found))),
            Ok(None) => Err(format!("expected the card {name}.toml beside this one, found none")),
            Err(fault) => Err(fault.to_string()),
        };
        let found = found.and_then(|(card, origin)| {
            if card.members.is_empty() {
                Ok((card, origin))
            } else {
                Err(format!("expected a task with data of its own, found one with members: {name}"))
            }
        });
        let locator = Locator::new(&text.file, &text.text);
        let place = index.to_string();
        found.map_err(|message| self.faults.push(locator.fault(&["members", &place], message))).ok()
    }

    fn card(&mut self, text: &Text) -> Option<Arc<TaskCard>> {
        if let Some(card) = self.cards.get(&text.file) {
            return card.clone();
        }
        let locator = Locator::new(&text.file, &text.text);
        let card = match text.parse::<TaskCard>() {
            Ok(card) => {
                let faults = check_card(&card, &locator);
                let sound = faults.is_empty();
                self.faults.extend(faults);
                sound.then(|| Arc::new(card))
            }
            Err(error) => {
                self.faults.push(locator.fault_at(error.span(), error.message()));
                None
            }
        };
        self.cards.insert(text.file.clone(), card.clone());
        card
    }
}

/// The card of the task `name` among the files and folders that the registry names.
pub fn card_of(home: &RegistrySource, registry: &Registry, name: &str) -> Result<Text, String> {
    for entry in &registry.cards {
        if let Some(text) = home.card(entry, name).map_err(|fault| fault.to_string())? {
            return Ok(text);
        }
    }
    Err(format!("expected the card {name}.toml in `cards` ({}), found none", registry.cards.join(", ")))
}

fn origin(text: &Text) -> Origin {
    text.path.clone().map_or_else(|| Origin::Embedded(text.file.clone()), Origin::File)
}

/// A file with a task type is a card; it stands for a registry of one task.
pub fn is_card(text: &Text) -> bool {
    text.parse::<serde_json::Map<String, serde_json::Value>>().is_ok_and(|table| table.contains_key("type"))
}

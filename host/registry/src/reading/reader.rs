//! Reads registries and the cards that they name.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use mteb_base::suggest::hint;
use mteb_card::{Packs, Registry, TaskCard};
use mteb_plugin_api::name_and_edition;
use tracing::debug_span;

use super::cards::{Cards, canonical, origin};
use super::named::{find_included, hidden_registry};
use super::named_cards::{CardsFault, absent_cards, card_of, taken_tasks, without_registries};
use super::pack_entries::{PackFault, edition_cards};
use super::place::fault_in;
use super::source::{CardFolders, RegistrySource};
use super::text::{Text, is_card};
use crate::checking::form::Kind;
use crate::checking::same_name::{all_left_out, is_same_task};
use crate::selecting::benchmark_view::benchmark_faults;
use crate::selecting::narrowing::{narrow_as_taken, narrow_to_languages};
use crate::selecting::pattern::TaskPattern;
use crate::{Fault, LoadedRegistry, Locator, Origin, TaskEntry};

/// Registries within registries that are read.
const DEEPEST: usize = 32;

/// Reads registries; a file that several of them name is read once.
pub struct RegistryReader<'a> {
    /// Errors in the files that were read.
    pub faults: Vec<Fault>,
    /// Warnings about these files, e.g. that a task of an included registry is skipped because
    /// another task of its name counts.
    pub warnings: BTreeSet<Fault>,
    /// True if a registry names a task pack that is not among the plugins.
    pub lacks_pack: bool,
    packs: &'a dyn Packs,
    cards: Cards,
    /// Registries that were read; `None` for one that cannot be.
    registries: HashMap<RegistrySource, Option<LoadedRegistry>>,
    /// Registries that are being read, to find an include that leads back to itself.
    path: Vec<RegistrySource>,
    folders: CardFolders,
    /// The tasks to read from the binary; `None` for all. Tasks in files are always read.
    wanted: Option<HashSet<String>>,
}

impl<'a> RegistryReader<'a> {
    /// A reader that knows `packs`.
    pub fn new(packs: &'a dyn Packs) -> Self {
        let (cards, registries, folders) = (Cards::default(), HashMap::new(), CardFolders::default());
        Self {
            faults: Vec::new(),
            warnings: BTreeSet::new(),
            lacks_pack: false,
            packs,
            cards,
            registries,
            path: Vec::new(),
            folders,
            wanted: None,
        }
    }

    /// This reader, restricted to those cards of the binary that belong to the tasks `names`.
    pub fn only(self, names: HashSet<String>) -> Self {
        Self { wanted: Some(names), ..self }
    }

    fn is_wanted(&self, home: &RegistrySource, name: &str) -> bool {
        let wanted = self.wanted.as_ref().is_none_or(|wanted| wanted.contains(name));
        wanted || matches!(home, RegistrySource::File(_))
    }

    /// This reader, which also checks the files of the binary.
    pub fn thorough(self) -> Self {
        Self { cards: Cards::thorough(), ..self }
    }

    /// Number of files that were read, and of cards and registries of the binary and of packs.
    pub fn count_checked(&self) -> (usize, usize) {
        let registries = self.registries.keys().filter(|source| !self.cards.has(&source.label()));
        let (files, others): (Vec<_>, Vec<_>) =
            registries.partition(|source| matches!(source, RegistrySource::File(_)));
        let (cards, other_cards) = self.cards.counts();
        (cards + files.len(), other_cards + others.len())
    }

    /// True if the card in `file` was read.
    pub fn has_card(&self, file: &Path) -> bool {
        self.cards.has(&canonical(file).display().to_string())
    }

    /// Reads a registry with all its cards; `None` if its file cannot be read.
    pub fn registry(&mut self, source: &RegistrySource) -> Option<LoadedRegistry> {
        let key = source.canonical();
        if let Some(loaded) = self.registries.get(&key) {
            return loaded.clone();
        }
        if let Some(name) = hidden_registry(source) {
            let message =
                format!("registry {name}: this one is used, the one that comes with mteb-host is ignored");
            self.warnings.insert(Fault::of_file(source.label(), message));
        }
        self.path.push(key.clone());
        let loaded = self.new_registry(source);
        self.path.pop();
        self.registries.insert(key, loaded.clone());
        loaded
    }

    /// Reads a card as if the valid registry `home` named it: its data must lie where the data of
    /// `home` may lie.
    pub fn card_below(&mut self, source: &RegistrySource, home: &RegistrySource) -> Option<LoadedRegistry> {
        match source.read() {
            Ok(text) => self.single_card(home, &text),
            Err(fault) => {
                self.faults.push(fault);
                None
            }
        }
    }

    /// The registries that were read.
    pub fn read_registries(&self) -> impl Iterator<Item = &Registry> {
        self.registries.values().flatten().map(|loaded| &loaded.registry)
    }

    fn new_registry(&mut self, source: &RegistrySource) -> Option<LoadedRegistry> {
        let _span = debug_span!("read registry", registry = source.label()).entered();
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
        let locator = Locator::new(&text.file, text.text());
        let is_sound = self.cards.check(&text, Kind::Registry, &mut self.faults);
        let before = self.faults.len();
        let registry: Registry = match text.parse() {
            Ok(registry) => registry,
            Err(error) => {
                if is_sound {
                    self.faults.push(locator.fault_at(error.span(), error.message()));
                }
                return None;
            }
        };
        if matches!(source, RegistrySource::File(_)) {
            self.check_plugins(&registry, &locator);
        }
        let mut tasks = self.read_packs(source, &registry, &locator);
        if registry.tasks.is_empty() {
            tasks.extend(self.read_card_folders(source, &registry, &locator));
        } else {
            tasks.extend(self.read_named(source, &registry, &locator));
        }
        for (index, include) in registry.include.iter().enumerate() {
            let all = self.read_included(source, include.registry(), &locator, index);
            let (taken, faults) = taken_tasks(all, include, self.wanted.as_ref());
            tasks.extend(taken);
            for (place, message) in faults {
                let at = ["include", &index.to_string(), "tasks", &place.to_string()];
                self.faults.push(locator.fault(&at, message));
            }
        }
        let tasks = self.without_duplicates(tasks, &registry, &text.file);
        // A card that could not be read is also missing from its benchmarks. One error is enough.
        let is_whole = self.wanted.is_none() || registry.include.is_empty();
        if self.faults.len() == before && is_whole && self.cards.is_checked(&text) {
            self.check_benchmarks(&registry, &tasks, &locator);
        }
        Some(LoadedRegistry { registry, file: text.file, tasks })
    }

    /// The plugins that users of the registry need, which other models do without.
    fn check_plugins(&mut self, registry: &Registry, locator: &Locator) {
        for (index, name) in registry.plugins.iter().enumerate() {
            if self.packs.cards(name).is_none() {
                let near = hint(name, self.packs.names(), "");
                let message = format!(
                    "expected the plugin `{name}`, which the registry requires, found none{near}; \
                     `mteb-host doctor` lists the folders that were searched"
                );
                self.warnings.insert(locator.fault(&["plugins", &index.to_string()], message));
            }
        }
    }

    fn check_benchmarks(&mut self, registry: &Registry, tasks: &[Arc<TaskEntry>], locator: &Locator) {
        for (index, benchmark) in registry.benchmarks.iter().enumerate() {
            let place = index.to_string();
            for fault in benchmark_faults(benchmark, &registry.name, tasks) {
                let within = fault.path.iter().map(String::as_str);
                let path: Vec<&str> = ["benchmark", &place].into_iter().chain(within).collect();
                self.faults.push(locator.fault(&path, fault.message));
            }
        }
    }

    fn read_packs(
        &mut self,
        home: &RegistrySource,
        registry: &Registry,
        locator: &Locator,
    ) -> Vec<Arc<TaskEntry>> {
        let mut tasks = Vec::new();
        for (index, pack) in registry.packs.iter().enumerate() {
            let cards = match edition_cards(self.packs, pack) {
                Ok(cards) => cards,
                Err(fault) => {
                    self.lacks_pack |= matches!(fault, PackFault::Absent { .. });
                    self.faults.push(locator.fault(&["packs", &index.to_string()], fault.to_string()));
                    continue;
                }
            };
            let is_bundled = self.packs.is_bundled(name_and_edition(pack).0);
            let new = if is_bundled { Text::bundled } else { Text::new };
            let texts: Vec<Text> =
                cards.map(|(name, card)| new(format!("{pack}/{name}"), card.clone())).collect();
            self.cards.read_unchecked(&texts);
            for text in &texts {
                let origin = Origin::Pack(pack.clone());
                tasks.extend(self.entry(text, origin, &registry.name, home, TaskPattern::default()));
            }
        }
        tasks
    }

    /// All cards of the files and folders that the registry names.
    fn read_card_folders(
        &mut self,
        home: &RegistrySource,
        registry: &Registry,
        locator: &Locator,
    ) -> Vec<Arc<TaskEntry>> {
        let mut tasks = Vec::new();
        for (index, entry) in registry.cards.iter().enumerate() {
            let at = ["cards", &index.to_string()];
            let found = home.cards(entry).map_err(CardsFault::from);
            match found.and_then(|texts| without_registries(entry, texts)) {
                Ok((texts, left_out)) => {
                    self.warnings.extend(left_out.map(|message| locator.fault(&at, message)));
                    let wanted: Vec<Text> =
                        texts.into_iter().filter(|text| self.is_wanted(home, text.stem())).collect();
                    for text in wanted {
                        let origin = origin(&text);
                        let whole = TaskPattern::default();
                        tasks.extend(self.entry(&text, origin, &registry.name, home, whole));
                    }
                }
                Err(fault) => self.faults.push(locator.fault(&at, fault.to_string())),
            }
        }
        tasks
    }

    /// The tasks that the registry names, from its files and folders.
    fn read_named(
        &mut self,
        home: &RegistrySource,
        registry: &Registry,
        locator: &Locator,
    ) -> Vec<Arc<TaskEntry>> {
        let mut tasks = Vec::new();
        for (index, name) in registry.tasks.iter().enumerate() {
            let index = index.to_string();
            let pattern = TaskPattern::new(name);
            if !self.is_wanted(home, pattern.name()) {
                continue;
            }
            let found = card_of(home, registry, pattern.name(), &mut self.folders);
            if found.is_err()
                && let Some((entry, fault)) = absent_cards(home, registry)
            {
                self.faults.push(locator.fault(&["cards", &entry.to_string()], fault.to_string()));
                break;
            }
            match found {
                Ok(text) => {
                    let Some(task) = self.entry(&text, origin(&text), &registry.name, home, pattern) else {
                        continue;
                    };
                    if let Err(error) = narrow_as_taken(&task) {
                        self.faults.push(locator.fault(&["tasks", &index], error.to_string()));
                        continue;
                    }
                    tasks.push(narrow_to_languages(task, &registry.languages));
                }
                Err(fault) => self.faults.push(locator.fault(&["tasks", &index], fault.to_string())),
            }
        }
        tasks
    }

    fn read_included(
        &mut self,
        home: &RegistrySource,
        name: &str,
        locator: &Locator,
        index: usize,
    ) -> Vec<Arc<TaskEntry>> {
        let index = index.to_string();
        let mut fault = |message: String| self.faults.push(locator.fault(&["include", &index], message));
        match find_included(home, name) {
            Ok(source) if self.path.contains(&source.canonical()) => {
                fault(format!("expected another registry, found one that includes itself: {name}"));
            }
            Ok(_) if self.path.len() >= DEEPEST => {
                fault(format!("expected registries nested at most {DEEPEST} deep, found more: {name}"));
            }
            Ok(source) => return self.registry(&source).map(|loaded| loaded.tasks).unwrap_or_default(),
            Err(unknown) => fault(format!("{name}: {}", unknown.message)),
        }
        Vec::new()
    }

    /// The tasks, each once. A card that lies in two of the folders that are named is one card.
    fn without_duplicates(
        &mut self,
        tasks: Vec<Arc<TaskEntry>>,
        registry: &Registry,
        file: &str,
    ) -> Vec<Arc<TaskEntry>> {
        let mut seen = HashSet::new();
        let (kept, twice): (Vec<_>, Vec<_>) =
            tasks.into_iter().partition(|task| seen.insert(task.card.name.clone()));
        let mut left_out = Vec::new();
        for task in &twice {
            let first = kept.iter().find(|other| other.card.name == task.card.name);
            if task.registry != registry.name {
                let other = first.filter(|first| !is_same_task(first, task));
                left_out.extend(other.map(|first| (Arc::clone(task), Arc::clone(first))));
                continue;
            }
            let first = first.map(|first| &first.origin);
            if first != Some(&task.origin) {
                let other = first.map(Origin::label).unwrap_or_default();
                let name = &task.card.name;
                let message = format!(
                    "expected a name of its own in the registry {}, found that of {other}: {name}",
                    registry.name
                );
                self.faults.push(fault_in(&task.origin, &["name"], message));
            } else if !registry.tasks.is_empty() {
                let message = format!("expected each task once in `tasks`, found twice: {}", task.card.name);
                self.faults.push(Fault::of_file(file, message));
            }
        }
        self.warnings.extend(all_left_out(file, &left_out));
        kept
    }

    fn single_card(&mut self, home: &RegistrySource, text: &Text) -> Option<LoadedRegistry> {
        let task = self.entry(text, origin(text), &text.file, home, TaskPattern::default())?;
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
        let card = self.cards.card(text, &mut self.faults)?;
        let members: Vec<(Arc<TaskCard>, Origin)> = (0..card.members.len())
            .map(|index| self.cards.member(text, &card, index, &mut self.faults))
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
}

//! Registries with all their tasks.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use mteb_base::suggest::some;
use mteb_card::{Benchmark, Packs, Registry};

use super::named::{find_registry, known_registries};
use super::reader::RegistryReader;
use super::source::RegistrySource;
use crate::checking::same_name::{
    PackCards, first_of_each, is_same_task, pack_cards, same_benchmarks, same_names, same_registries,
    taken_names,
};
use crate::checking::successors::unknown_successors;
use crate::entry::{LoadedRegistry, TaskEntry};
use crate::selecting::benchmark::{BenchmarkPart, benchmark_tasks};
use crate::selecting::benchmark_view::{BenchmarkView, benchmark_view};
use crate::{Fault, Selected};

/// All registries that were requested.
#[derive(Clone, Debug, Default)]
pub struct Registries {
    /// The registries, in the order in which they were requested.
    pub loaded: Vec<LoadedRegistry>,
    /// Errors in their files. Cards with errors are skipped.
    pub faults: Vec<Fault>,
    /// Warnings about their files.
    oddities: Vec<Fault>,
    /// The cards of all task packs, whether a registry names them or not.
    packs: PackCards,
    /// True if a registry names a task pack that is missing and a plugin was refused, because that
    /// plugin may be the pack.
    pub lacks_refused_pack: bool,
}

impl Registries {
    /// Reads the registries called `names`, or every known one if there are none: those of folders before those of the
    /// binary.
    pub fn load(names: &[String], packs: &dyn Packs) -> Self {
        Self::read(names, RegistryReader::new(packs), packs)
    }

    /// Like [`Self::load`], but reads only those cards of the binary that belong to the tasks
    /// `wanted`. If one of these tasks does not exist, all cards are read, so that the message can
    /// suggest a similar name.
    pub fn load_only(names: &[String], packs: &dyn Packs, wanted: &HashSet<String>) -> Self {
        let found = Self::read(names, RegistryReader::new(packs).only(wanted.clone()), packs);
        let tasks = found.loaded.iter().flat_map(|registry| &registry.tasks);
        let known: HashSet<&str> = tasks.map(|task| task.card.name.as_str()).collect();
        // Errors in benchmarks over cards of the binary are reported when all of these cards are
        // read.
        let is_checked = names.is_empty() || found.loaded.iter().all(|loaded| !loaded.has_wider_benchmarks());
        let is_whole = is_checked && wanted.iter().all(|name| known.contains(name.as_str()));
        if is_whole { found } else { Self::load(names, packs) }
    }

    fn read(names: &[String], mut reader: RegistryReader, packs: &dyn Packs) -> Self {
        let (mut loaded, mut own) = (Vec::new(), Vec::new());
        if names.is_empty() {
            loaded.extend(known_registries().iter().filter_map(|(_, source)| reader.registry(source)));
        }
        for name in names {
            match find_registry(name) {
                Ok(source) => {
                    let found = reader.registry(&source);
                    own.extend(found.clone().filter(|_| matches!(source, RegistrySource::File(_))));
                    loaded.extend(found);
                }
                Err(fault) => reader.faults.push(fault),
            }
        }
        let cards = pack_cards(packs);
        let mut oddities: Vec<Fault> = std::mem::take(&mut reader.warnings).into_iter().collect();
        // For files that the user named, every finding of `validate` is reported.
        oddities.extend(taken_names(&own, None));
        oddities.extend(same_registries(&own));
        oddities.extend(same_benchmarks(&own, None));
        let included: Vec<&Registry> = reader.read_registries().collect();
        oddities.extend(unknown_successors(&own, &included, &[], &cards));
        let faults: BTreeSet<Fault> = reader.faults.iter().cloned().collect();
        Self {
            loaded,
            faults: faults.into_iter().collect(),
            oddities,
            packs: cards,
            lacks_refused_pack: reader.lacks_pack && packs.has_refused(),
        }
    }

    /// The registry `loaded` alone.
    #[must_use]
    pub fn only(&self, loaded: &LoadedRegistry) -> Self {
        Self { loaded: vec![loaded.clone()], packs: self.packs.clone(), ..Self::default() }
    }

    /// What is odd about the registries and `selected`: tasks of whose name there is another one, and which of them counts; the
    /// same of the `benchmark` that they are of.
    pub fn warnings(&self, selected: &[Selected], benchmark: Option<&str>) -> Vec<Fault> {
        let counting: Vec<Arc<TaskEntry>> = selected.iter().map(|task| Arc::clone(&task.entry)).collect();
        let benchmarks = benchmark.map(|name| same_benchmarks(&self.loaded, Some(name))).unwrap_or_default();
        let benchmarks = benchmarks.into_iter().filter(|warning| !self.oddities.contains(warning));
        let names = same_names(&self.loaded, &self.packs, &counting);
        let taken = benchmark.map(|name| taken_names(&self.loaded, Some(name))).unwrap_or_default();
        let taken = taken.into_iter().filter(|warning| !self.oddities.contains(warning));
        let absent = benchmark.and_then(|name| self.absent(name));
        self.oddities.iter().cloned().chain(benchmarks).chain(taken).chain(absent).chain(names).collect()
    }

    /// What a leaderboard shows of the benchmark called `name` beside its means.
    pub fn view(&self, name: &str) -> BenchmarkView {
        let Some((benchmark, registry)) = self.benchmark(name) else { return BenchmarkView::default() };
        match benchmark_tasks(benchmark, &registry.registry.name, &registry.tasks) {
            Ok(selected) => benchmark_view(benchmark, &registry.tasks, &selected),
            Err(_) => BenchmarkView::default(),
        }
    }

    /// Which part of the benchmark `name` the tasks `taken` cover; `None` if they cover all of it.
    pub fn part(&self, name: &str, taken: &[Selected]) -> Option<BenchmarkPart> {
        let (benchmark, registry) = self.benchmark(name)?;
        let tasks = benchmark_tasks(benchmark, &registry.registry.name, &registry.tasks).ok()?;
        BenchmarkPart::of(&benchmark.name, &tasks, &benchmark.absent, taken)
    }

    /// The largest benchmark that the tasks `taken` cover completely, as its name and its tasks;
    /// `None` if there is none.
    pub fn widest_within(&self, taken: &[Selected]) -> Option<(String, Vec<Selected>)> {
        let there: HashSet<(&str, &str, &str)> = taken.iter().flat_map(units_of).collect();
        let benchmarks = self.loaded.iter().flat_map(|loaded| {
            loaded.registry.benchmarks.iter().filter(|benchmark| benchmark.absent.is_empty()).filter_map(
                |benchmark| {
                    let tasks = benchmark_tasks(benchmark, &loaded.registry.name, &loaded.tasks).ok()?;
                    let is_whole = !tasks.is_empty()
                        && tasks.iter().flat_map(units_of).all(|unit| there.contains(&unit));
                    is_whole.then(|| (benchmark.name.clone(), tasks))
                },
            )
        });
        // If several are equally large, the first one counts.
        benchmarks.reduce(|widest, other| if other.1.len() > widest.1.len() { other } else { widest })
    }

    /// What is missing of the benchmark `name`, whichever of its tasks are run.
    fn absent(&self, name: &str) -> Option<Fault> {
        let (benchmark, registry) = self.benchmark(name).filter(|(found, _)| !found.absent.is_empty())?;
        let are = if benchmark.absent.len() == 1 { "this task is" } else { "these tasks are" };
        let message = format!(
            "benchmark {}: the means here are not those of the benchmark, of which {are} missing: {}",
            benchmark.name,
            some(benchmark.absent.iter().map(String::as_str))
        );
        Some(Fault::of_file(&registry.file, &message))
    }

    /// Every task once, by name. If several registries have a task of one name, the first registry
    /// counts.
    pub fn tasks(&self) -> Vec<Arc<TaskEntry>> {
        first_of_each(&self.loaded)
    }

    /// Different tasks with the name `name`: first the one that counts, then those of other
    /// registries, e.g. of earlier editions of its pack.
    pub fn tasks_called(&self, name: &str) -> Vec<Arc<TaskEntry>> {
        let mut found: Vec<Arc<TaskEntry>> = Vec::new();
        for task in self.loaded.iter().flat_map(|registry| &registry.tasks) {
            if task.card.name == name && !found.iter().any(|other| is_same_task(other, task)) {
                found.push(Arc::clone(task));
            }
        }
        found
    }

    /// The task pack that has a task called `name`.
    pub fn pack_with(&self, name: &str) -> Option<&str> {
        let mut packs = self.packs.iter();
        packs.find(|(_, cards)| cards.contains_key(name)).map(|(pack, _)| pack.as_str())
    }

    /// The benchmark `name` and the registry that defines it.
    pub fn benchmark(&self, name: &str) -> Option<(&Benchmark, &LoadedRegistry)> {
        let find = |is_it: &dyn Fn(&Benchmark) -> bool| {
            self.loaded.iter().find_map(|registry| {
                Some((registry.registry.benchmarks.iter().find(|benchmark| is_it(benchmark))?, registry))
            })
        };
        // A name in one registry may be an alias in another one.
        find(&|benchmark| benchmark.name == name).or_else(|| find(&|benchmark| benchmark.is_called(name)))
    }
}

/// The units of a task, with its name.
fn units_of(task: &Selected) -> impl Iterator<Item = (&str, &str, &str)> {
    task.units().map(|(split, subset)| (task.entry.card.name.as_str(), split, subset))
}

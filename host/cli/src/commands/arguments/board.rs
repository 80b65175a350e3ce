//! The options that say which results are read, shared by `leaderboard`, `report`, `compare`, `figure` and `show results`.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use clap::Args;
use mteb_card::Benchmark;
use mteb_registry::{
    LoadedRegistry, ModelCards, Registries, Selected, page_languages_beside, tasks_beside, unknown_task,
};
use mteb_report::benchmark::{About, BeyondBenchmark};
use mteb_report::output::part_line;
use mteb_report::table::{Board, Tasks};

use super::filter::FilterArgs;
use super::place::PlaceArgs;
use crate::commands::discover::discover;
use crate::commands::selected::check_locks;
use crate::exit::Exit;
use crate::output;
use crate::view::{Chosen, ScoreSources, Scores, find_similar};

/// Number of warnings that are printed one by one: published results cause thousands.
const SHOWN: usize = 50;

/// Which results are read, and where they lie.
#[derive(Args, Clone, Debug)]
pub struct BoardArgs {
    /// Folder of result files, from mteb-host or the public results repository; may be repeated.
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub results: Vec<PathBuf>,
    #[command(flatten)]
    pub filter: FilterArgs,
    #[command(flatten)]
    pub place: PlaceArgs,
}

impl BoardArgs {
    /// Reads the results of the tasks that the filter selects or, without a filter, of all tasks
    /// that have results.
    ///
    /// # Errors
    /// The exit code, after the fault was said.
    pub fn read(&self) -> Result<Scores, Exit> {
        self.read_as(false)
    }

    /// The same for who shows their means, with whose these are.
    ///
    /// # Errors
    /// As of [`Self::read`].
    pub fn read_with_means(&self) -> Result<Scores, Exit> {
        self.read_as(true)
    }

    fn read_as(&self, shows_means: bool) -> Result<Scores, Exit> {
        let (filter, settings) = (&self.filter, self.place.settings());
        let catalog = discover(&settings);
        let registries = filter.registries(&catalog)?;
        let (filter, of_results) = split_off_unknown(filter, &registries);
        let is_of_results_alone = filter.task.is_empty() && !of_results.is_empty();
        let selected = if is_of_results_alone { Vec::new() } else { filter.select(&registries)? };
        if *filter != FilterArgs::default() {
            check_locks(&selected, None)?;
        }
        // Without a selection, all tasks that have results are shown.
        let tasks = if self.filter == FilterArgs::default() { Tasks::WithResults } else { Tasks::Selected };
        let names: Vec<String> = filter.registry.iter().map(|registry| registry_name(registry)).collect();
        let benchmark = filter.benchmark.as_deref();
        // An alias of a benchmark means the same benchmark as its name.
        let called =
            benchmark.map(|name| registries.benchmark(name).map_or(name, |(found, _)| found.name.as_str()));
        let name = called.map_or_else(|| names.join(", "), str::to_owned);
        let cards = ModelCards::beside(&filter.registry);
        let similar = find_similar(&registries.tasks());
        let view = benchmark.map(|name| registries.view(name)).unwrap_or_default();
        let part = benchmark.and_then(|name| registries.part(name, &selected));
        let is_registry = !filter.registry.is_empty() && benchmark.is_none();
        let beyond =
            (shows_means && is_registry).then(|| beyond_benchmark(&registries, &selected, &name)).flatten();
        let place = |cards| ScoreSources { folders: &self.results, settings: settings.clone(), cards };
        let read = |cards, chosen, tasks| {
            Scores::read(place(cards), &name, chosen, tasks, similar.clone()).map_err(output::usage)
        };
        let chosen = Chosen { selected, view, of_results: of_results.clone(), part };
        let mut scores = read(cards.clone(), chosen, tasks)?;
        scores.benchmark.about =
            benchmark.and_then(|name| registries.benchmark(name)).map(about).unwrap_or_default();
        scores.benchmark.beyond = beyond;
        scores.page_languages = page_language_files(&registries, filter.registry.is_empty(), benchmark);
        // If no registry was named, the cards next to the results are used.
        if self.filter.registry.is_empty() && benchmark.is_none() {
            let without_cards = scores.tasks_without_cards();
            if !without_cards.is_empty() {
                let beside = tasks_beside(&self.results, &without_cards, &catalog);
                scores = scores.add_cards(beside).map_err(output::usage)?;
            }
        }
        let has_results = |name: &&String| scores.tasks_with_results().contains(name.as_str());
        if let Some(unknown) = of_results.iter().find(|name| !has_results(name)) {
            let all = read(cards, Chosen::default(), Tasks::WithResults)?;
            let known: Vec<&str> = all.tasks_with_results().into_iter().collect();
            return Err(output::usage(unknown_task(unknown, &registries, &known)));
        }
        Ok(scores)
    }

    /// Says of which part of a benchmark a board is, what was left out of it, or may not be comparable: the first lines of many.
    pub fn warn(board: &Board) {
        // Missing tasks of a benchmark were reported when its tasks were selected.
        let is_narrowed = board.part.as_ref().is_some_and(|part| part.is_narrowed);
        if is_narrowed && !board.is_empty() {
            part_line(board).iter().for_each(output::warn);
        }
        let more = board.warnings.len().saturating_sub(SHOWN);
        board.warnings.iter().take(SHOWN).for_each(output::warn);
        if more > 0 {
            output::warn(format!(
                "{more} more warnings like these; `leaderboard --json` lists them under `other_data`"
            ));
        }
    }

    /// Reports that there are no results, unless some were `left_out`, which was reported before.
    pub fn report_no_results(&self, left_out: bool) -> Exit {
        let folders: Vec<String> = self.results.iter().map(|folder| folder.display().to_string()).collect();
        let tasks = self.filter.benchmark.as_ref().map(|name| format!("the tasks of {name}"));
        let tasks = tasks.unwrap_or_else(|| "these tasks".to_owned());
        let found = if left_out {
            "only results that do not count, for the reasons above; `mteb-host run` scores them again"
        } else {
            "none"
        };
        output::usage(format!("expected results of {tasks} in {}, found {found}", folders.join(", ")))
    }
}

/// That the means of `selected` are none of a benchmark, and which benchmark is within them.
fn beyond_benchmark(
    registries: &Registries,
    selected: &[Selected],
    registry: &str,
) -> Option<BeyondBenchmark> {
    let (name, own) = registries.widest_within(selected).filter(|(_, own)| own.len() < selected.len())?;
    Some(BeyondBenchmark {
        registry: registry.to_owned(),
        tasks: selected.len(),
        benchmark: name.to_owned(),
        of_benchmark: own.len(),
    })
}

/// The files with languages of pages beside the registries that were named, and beside that of the benchmark.
fn page_language_files(registries: &Registries, are_all: bool, benchmark: Option<&str>) -> Vec<PathBuf> {
    let of_benchmark = benchmark.and_then(|name| registries.benchmark(name)).map(|(_, loaded)| loaded);
    let named = registries.loaded.iter().filter(|_| !are_all);
    let mut files: Vec<PathBuf> = Vec::new();
    for loaded in named.chain(of_benchmark) {
        for file in page_languages_beside(Path::new(&loaded.file)) {
            if !files.contains(&file) {
                files.push(file);
            }
        }
    }
    files
}

/// What a benchmark of a registry says of itself.
fn about((benchmark, registry): (&Benchmark, &LoadedRegistry)) -> About {
    let registry = &registry.registry;
    About {
        title: benchmark.title.clone(),
        reference: benchmark.reference.clone(),
        citation: benchmark.citation.clone(),
        registry: Some((registry.name.clone(), registry.title.clone())),
        provenance: registry.provenance.clone(),
    }
}

/// The filter without the tasks that no registry has, and the names of these: results may know them. Where registries, or more
/// than tasks, are named, each task must be known.
fn split_off_unknown<'a>(
    filter: &'a FilterArgs,
    registries: &Registries,
) -> (Cow<'a, FilterArgs>, Vec<String>) {
    let tasks_alone = FilterArgs { task: filter.task.clone(), ..FilterArgs::default() };
    let known = registries.tasks();
    let is_unknown =
        |name: &&String| !name.contains([':', '@', '*']) && known.iter().all(|task| task.card.name != **name);
    if *filter != tasks_alone || !filter.task.iter().any(|name| is_unknown(&name)) {
        return (Cow::Borrowed(filter), Vec::new());
    }
    let (unknown, task): (Vec<&String>, Vec<&String>) = filter.task.iter().partition(is_unknown);
    let known = FilterArgs { task: task.into_iter().cloned().collect(), ..FilterArgs::default() };
    (Cow::Owned(known), unknown.into_iter().cloned().collect())
}

/// The name of a registry that may be given by its file.
fn registry_name(registry: &str) -> String {
    let stem = registry.strip_suffix(".toml").and_then(|path| Path::new(path).file_name());
    stem.map_or_else(|| registry.to_owned(), |stem| stem.to_string_lossy().into_owned())
}

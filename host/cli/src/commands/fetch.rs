//! `mteb-host fetch`: brings datasets and a model to this machine, for runs without a network. The
//! data of many tasks is fetched side by side: first which files they need, then those that are not
//! here.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;

use clap::Args;
use comfy_table::ContentArrangement;
use indicatif::DecimalBytes;
use mteb_base::threads::stack;
use mteb_hub::Brought;
use mteb_models::model::Listener;
use mteb_registry::{ModelCards, Selected};
use mteb_source::{DataSources, NeededFile, SourceError, model_folder};
use mteb_workers::plugins::Catalog;
use mteb_workers::settings::Settings;

use super::arguments::{FilterArgs, PlaceArgs, card_of};
use super::discover::discover;
use super::selected::{check_chosen, check_locks};
use crate::exit::Exit;
use crate::output;
use crate::view::{self, Failure, Progress, Together, describe_moved, describe_unchecked, list_causes};

/// Arguments of `fetch`.
#[derive(Args, Debug)]
pub struct FetchArgs {
    /// Fetch the data of all known tasks; required if no registry, benchmark, task, type or
    /// language is given.
    #[arg(long)]
    all: bool,
    /// Model on the hub; without a task or another filter, only the model is downloaded.
    #[arg(long, value_name = "ID")]
    model: Option<String>,
    /// Revision of the model: a commit, branch or tag [default: from its card, else the branch
    /// main].
    #[arg(long, value_name = "REVISION", requires = "model")]
    revision: Option<String>,
    /// Record the current data files in the lock files of their registries
    /// (`<registry>.lock.toml`).
    #[arg(long)]
    update_lock: bool,
    /// Download nothing; show which files are needed and how many bytes are missing.
    #[arg(long)]
    dry_run: bool,
    /// Hide progress bars.
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    place: PlaceArgs,
}

impl FetchArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        match self.try_run() {
            Ok(exit) | Err(exit) => exit,
        }
    }

    fn try_run(&self) -> Result<Exit, Exit> {
        let settings =
            Settings { update_lock: self.update_lock, refresh_lists: true, ..self.place.settings() };
        let progress = Progress::new(self.quiet, false);
        let mut exit = Exit::Done;
        if let Some(model) = &self.model {
            let cards = ModelCards::beside(&self.filter.registry);
            exit = fetch_model(&settings, model, (self.revision.clone(), &cards), &progress)?;
            if self.filter == FilterArgs::default() && !self.all {
                return Ok(exit);
            }
        }
        let catalog = discover(&settings);
        let registries = self.filter.registries(&catalog)?;
        let tasks = self.filter.select(&registries)?;
        check_chosen(&self.filter, self.all, &tasks, "fetch")?;
        check_locks(&tasks, Some(&registries).filter(|_| self.update_lock))?;
        let mut seen = HashSet::new();
        let tasks = tasks.iter().flat_map(Selected::with_data);
        let unit =
            |task: &Selected| (task.entry.card.name.clone(), task.subsets.clone(), task.splits.clone());
        let tasks: Vec<Selected> = tasks.filter(|task| seen.insert(unit(task))).collect();
        let jobs = plan_fetch(tasks, &settings, &catalog);
        let failed = if self.dry_run {
            show_needed(jobs)
        } else {
            fetch_files(jobs, &progress, count_jobs_at_once(self.update_lock))
        };
        let failures: Vec<Failure> = failed.iter().map(to_failure).collect();
        list_causes(&failures).iter().for_each(output::error);
        Ok(if failed.is_empty() { exit } else { Exit::Failed })
    }
}

fn to_failure(failed: &Failed) -> Failure<'_> {
    Failure { task: &failed.task, split: &failed.split, subset: &failed.subset, cause: &failed.cause }
}

fn fetch_model(
    settings: &Settings,
    model: &str,
    (revision, cards): (Option<String>, &ModelCards),
    progress: &Progress,
) -> Result<Exit, Exit> {
    let card = card_of(model, cards)?;
    let revision = revision.or_else(|| card.and_then(|found| found.card.revision));
    match model_folder(settings, model, revision.as_deref(), false, &*progress.downloads()) {
        Ok(Some(folder)) => Ok(output::print(&format!("{model}: {}", show_path(&folder.path)))),
        Ok(None) => Err(output::usage(format!(
            "expected a model on the hub, such as `organisation/name`, found: {model}"
        ))),
        Err(error) => {
            output::error(error);
            Ok(Exit::Failed)
        }
    }
}

fn show_path(path: &Path) -> String {
    path.display().to_string()
}

/// Datasets that are asked for at a time: the hub slows down who asks for more.
const AT_ONCE: usize = 4;
/// Columns of a table where standard output is no terminal.
const WIDTH: u16 = 100;

/// A unit whose data could not be had.
pub struct Failed {
    /// Its task.
    pub task: String,
    /// Its split.
    pub split: String,
    /// Its subset.
    pub subset: String,
    /// Why.
    pub cause: String,
}

/// The tasks of one dataset, so that nobody asks for its list of files twice.
pub struct FetchJob {
    tasks: Vec<Selected>,
    sources: DataSources,
    /// Units whose files are known, as places in `tasks`, with split and subset.
    units: Vec<(usize, String, String)>,
    needed: BTreeSet<NeededFile>,
    failures: Vec<Failed>,
}

/// Sorts tasks by dataset and finds out which files they need.
pub fn plan_fetch(tasks: Vec<Selected>, settings: &Settings, catalog: &Catalog) -> Vec<FetchJob> {
    let mut by_dataset: BTreeMap<String, Vec<Selected>> = BTreeMap::new();
    for task in tasks {
        let dataset = &task.entry.card.dataset;
        // Data that is not fetched has nothing to wait for.
        let key = dataset.fetched().unwrap_or_default().to_owned();
        by_dataset.entry(key).or_default().push(task);
    }
    let jobs = by_dataset.into_values().map(|tasks| FetchJob {
        tasks,
        sources: DataSources::new(settings.clone(), catalog),
        units: Vec::new(),
        needed: BTreeSet::new(),
        failures: Vec::new(),
    });
    run_side_by_side(jobs.collect(), AT_ONCE, |mut job| {
        job.plan();
        job
    })
}

/// Fetches what the jobs need and says of each task what is here now; gives what failed.
fn fetch_files(jobs: Vec<FetchJob>, progress: &Progress, at_once: usize) -> Vec<Failed> {
    let missing: Vec<&NeededFile> =
        jobs.iter().flat_map(|job| &job.needed).filter(|file| !file.is_here).collect();
    let bytes = missing.iter().map(|file| file.bytes).sum();
    let together = Together::new(progress.download_bar(), missing.len() as u64, bytes);
    let failures = run_side_by_side(jobs, at_once, |job| job.fetch(&together, progress));
    together.end();
    failures.into_iter().flatten().collect()
}

/// How many jobs may go on side by side: a lock is written by one.
fn count_jobs_at_once(update_lock: bool) -> usize {
    if update_lock { 1 } else { AT_ONCE }
}

/// What would be fetched, by dataset, the largest first; and what failed already.
fn show_needed(jobs: Vec<FetchJob>) -> Vec<Failed> {
    let mut table = view::table(["dataset", "tasks", "files", "bytes", "to download"]);
    if output::table_width().is_none() {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH);
    }
    let bytes = |job: &FetchJob, all: bool| -> u64 {
        job.needed.iter().filter(|file| all || !file.is_here).map(|file| file.bytes).sum()
    };
    let mut known: Vec<&FetchJob> = jobs.iter().filter(|job| !job.needed.is_empty()).collect();
    known.sort_by_key(|job| std::cmp::Reverse(bytes(job, true)));
    let (mut all, mut missing) = (0, 0);
    for job in &known {
        let name = job.needed.first().map(|file| file.dataset.clone()).unwrap_or_default();
        let (whole, rest) = (bytes(job, true), bytes(job, false));
        (all, missing) = (all + whole, missing + rest);
        table.add_row(vec![
            view::cell(name),
            view::right(job.tasks.len()),
            view::right(job.needed.len()),
            view::right(DecimalBytes(whole)),
            view::right(DecimalBytes(rest)),
        ]);
    }
    if !known.is_empty() {
        output::print_table(&view::text(table));
    }
    let datasets = output::count(known.len(), "dataset");
    output::print(&format!("{datasets}: {}, to download {}", DecimalBytes(all), DecimalBytes(missing)));
    jobs.into_iter().flat_map(|job| job.failures).collect()
}

impl FetchJob {
    /// The datasets of which bytes are missing, with how many.
    pub fn missing(&self) -> impl Iterator<Item = (String, u64)> {
        let mut bytes: BTreeMap<String, u64> = BTreeMap::new();
        for file in self.needed.iter().filter(|file| !file.is_here) {
            *bytes.entry(file.dataset.to_string()).or_default() += file.bytes;
        }
        bytes.into_iter()
    }

    /// Units of which nobody can say what they need.
    pub fn failures(&self) -> &[Failed] {
        &self.failures
    }

    fn plan(&mut self) {
        for (place, task) in self.tasks.iter().enumerate() {
            if task.entry.card.unsupported.is_some() || task.entry.card.dataset.plugin.is_some() {
                continue;
            }
            for (split, subset) in task.units() {
                match self.sources.needed_files(&task.entry, split, subset) {
                    Ok(files) => {
                        self.needed.extend(files);
                        self.units.push((place, split.to_owned(), subset.to_owned()));
                    }
                    Err(error) => {
                        let is_gone = error.is_of_store();
                        self.failures.push(to_failed(task, split, subset, &error));
                        // Where the dataset itself cannot be had, its other units cannot either.
                        if is_gone {
                            break;
                        }
                    }
                }
            }
        }
    }

    fn fetch(self, together: &Arc<Together>, progress: &Progress) -> Vec<Failed> {
        let share = Arc::new(together.share());
        let mut sources = self.sources.with_report(Arc::clone(&share) as _);
        let mut failures = self.failures;
        for (place, task) in self.tasks.iter().enumerate() {
            let card = &task.entry.card;
            if let Some(reason) = &card.unsupported {
                progress.print(&format!("{}: skipped because it cannot be run: {reason}", card.name));
                continue;
            }
            if let Some(pack) = &card.dataset.plugin {
                let line = format!(
                    "{}: nothing to download, because its data comes with the task pack `{pack}`",
                    card.name
                );
                progress.print(&line);
                continue;
            }
            let mut here = 0;
            for (_, split, subset) in self.units.iter().filter(|(of, ..)| *of == place) {
                match sources.fetch(&task.entry, split, subset) {
                    Ok(()) => here += 1,
                    Err(error) => failures.push(to_failed(task, split, subset, &error)),
                }
            }
            let brought = share.take();
            if let Some(line) = describe_unchecked(&brought.unchecked) {
                progress.warn(&line);
            }
            describe_moved(&brought.moved_away).for_each(|line| progress.warn(&line));
            if here > 0 || brought.files > 0 {
                progress.print(&format!(
                    "{}: {}",
                    card.name,
                    here_line(here, task.units().count(), &brought)
                ));
            }
        }
        failures
    }
}

fn to_failed(task: &Selected, split: &str, subset: &str, error: &SourceError) -> Failed {
    Failed {
        task: task.entry.card.name.clone(),
        split: split.to_owned(),
        subset: subset.to_owned(),
        cause: error.to_string(),
    }
}

/// What is here of `all` units, and what of it was brought now.
fn here_line(here: usize, all: usize, brought: &Brought) -> String {
    let units = if here == all { output::count(all, "unit") } else { format!("{here} of {all} units") };
    let Brought { files, bytes, .. } = brought;
    if *files == 0 {
        return format!("{units} {} already downloaded", if here == 1 { "was" } else { "were" });
    }
    let files = output::count(usize::try_from(*files).unwrap_or(usize::MAX), "file");
    let verb = if here == 1 { "is" } else { "are" };
    format!("{units} {verb} available; downloaded {files}, {}", DecimalBytes(*bytes))
}

/// Does the jobs, some at a time; what they give stands in their order.
fn run_side_by_side<T: Send>(
    jobs: Vec<FetchJob>,
    at_once: usize,
    work: impl Fn(FetchJob) -> T + Sync,
) -> Vec<T> {
    let count = jobs.len();
    let queue = Mutex::new(jobs.into_iter().enumerate());
    let done: Mutex<Vec<(usize, T)>> = Mutex::new(Vec::with_capacity(count));
    std::thread::scope(|scope| {
        let work = || {
            loop {
                let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((place, job)) = next else { return };
                let outcome = work(job);
                done.lock().unwrap_or_else(PoisonError::into_inner).push((place, outcome));
            }
        };
        for _ in 1..at_once.min(count) {
            // Where the system gives no thread, fewer do the same.
            if Builder::new().stack_size(stack()).spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}

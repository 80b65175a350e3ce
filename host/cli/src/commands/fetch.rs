//! `mteb-host fetch`: brings datasets and a model to this machine, for runs without a network.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use clap::Args;
use indicatif::DecimalBytes;
use mteb_engine::Observer;
use mteb_engine::registry::{ModelCards, Selected};
use mteb_engine::settings::Settings;
use mteb_engine::source::{DataSources, model_folder};
use mteb_hub::Brought;

use super::discover::discover;
use super::everything::check_chosen;
use super::filter::FilterArgs;
use super::locks::check_locks;
use super::model::card_of;
use super::place_args::PlaceArgs;
use crate::exit::Exit;
use crate::output;
use crate::report::{Failure, Progress, Tally, by_cause};

/// Arguments of `fetch`.
#[derive(Args, Debug)]
pub struct FetchArgs {
    #[command(flatten)]
    filter: FilterArgs,
    /// Fetch the data of all known tasks, where no registry, benchmark, task, type or language is named.
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    place: PlaceArgs,
    /// Model on the hub; without a task or another filter, only the model is fetched.
    #[arg(long, value_name = "ID")]
    model: Option<String>,
    /// Revision of the model: a commit, branch or tag [default: that of its card, else the branch main].
    #[arg(long, value_name = "REVISION", requires = "model")]
    revision: Option<String>,
    /// Take data files as they are into the locks of their registries (`<registry>.lock.toml`).
    #[arg(long)]
    update_lock: bool,
    /// No progress bars.
    #[arg(long)]
    quiet: bool,
}

impl FetchArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        match self.try_run() {
            Ok(exit) | Err(exit) => exit,
        }
    }

    fn try_run(&self) -> Result<Exit, Exit> {
        let settings = Settings { update_lock: self.update_lock, lists_anew: true, ..self.place.settings() };
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
        check_locks(&tasks, self.update_lock)?;
        let tally = Arc::new(Tally::new(progress.downloads()));
        let mut sources = DataSources::new(settings, &catalog).with_report(Arc::clone(&tally) as _);
        let mut failures = Vec::new();
        let mut seen = HashSet::new();
        let tasks = tasks.iter().flat_map(Selected::with_data);
        let unit =
            |task: &Selected| (task.entry.card.name.clone(), task.subsets.clone(), task.splits.clone());
        let tasks: Vec<Selected> = tasks.filter(|task| seen.insert(unit(task))).collect();
        for task in &tasks {
            fetch_task(task, &mut sources, &tally, &mut failures);
        }
        let failures: Vec<Failure> = failures.iter().map(Failed::as_failure).collect();
        by_cause(&failures).iter().for_each(output::error);
        Ok(if failures.is_empty() { exit } else { Exit::Failed })
    }
}

/// A unit whose data could not be had.
struct Failed {
    task: String,
    split: String,
    subset: String,
    cause: String,
}

impl Failed {
    fn as_failure(&self) -> Failure<'_> {
        Failure { task: &self.task, split: &self.split, subset: &self.subset, cause: &self.cause }
    }
}

fn fetch_model(
    settings: &Settings,
    model: &str,
    (revision, cards): (Option<String>, &ModelCards),
    progress: &Progress,
) -> Result<Exit, Exit> {
    let card = card_of(model, cards)?;
    let revision = revision.or_else(|| card.and_then(|found| found.card.revision));
    match model_folder(settings, model, revision.as_deref(), &*progress.downloads()) {
        Ok(Some(folder)) => Ok(output::print(&format!("{model}: {}", shown(&folder.path)))),
        Ok(None) => {
            output::error(format!("expected a model on the hub, as `organisation/name`, found: {model}"));
            Err(Exit::Usage)
        }
        Err(error) => {
            output::error(error);
            Ok(Exit::Failed)
        }
    }
}

/// Fetches what the units of a task need, and says what is here now and what of it was brought.
fn fetch_task(task: &Selected, sources: &mut DataSources, tally: &Tally, failures: &mut Vec<Failed>) {
    let card = &task.entry.card;
    if let Some(reason) = &card.unsupported {
        output::print(&format!("{}: passed over, it cannot be run: {reason}", card.name));
        return;
    }
    if let Some(pack) = &card.dataset.plugin {
        output::print(&format!(
            "{}: nothing to fetch, its data comes with the task pack `{pack}`",
            card.name
        ));
        return;
    }
    let (mut here, mut all) = (0, 0);
    for (split, subset) in task.units() {
        all += 1;
        match sources.fetch(&task.entry, split, subset) {
            Ok(()) => here += 1,
            Err(error) => failures.push(Failed {
                task: card.name.clone(),
                split: split.to_owned(),
                subset: subset.to_owned(),
                cause: error.to_string(),
            }),
        }
    }
    let brought = tally.take();
    if here > 0 || brought.files > 0 {
        output::print(&format!("{}: {}", card.name, here_line(here, all, &brought)));
    }
}

/// What is here of `all` units, and what of it was brought now.
fn here_line(here: usize, all: usize, brought: &Brought) -> String {
    let units = if here == all { output::count(all, "unit") } else { format!("{here} of {all} units") };
    let Brought { files, bytes, .. } = brought;
    if *files == 0 {
        return format!("{units} {} here already", if here == 1 { "was" } else { "were" });
    }
    let files = output::count(usize::try_from(*files).unwrap_or(usize::MAX), "file");
    let verb = if here == 1 { "is" } else { "are" };
    format!("{units} {verb} here, fetched now: {files}, {}", DecimalBytes(*bytes))
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

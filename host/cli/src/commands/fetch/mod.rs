//! `mteb-host fetch`: brings datasets and a model to this machine, for runs without a network.

pub mod jobs;

use std::collections::HashSet;
use std::path::Path;

use clap::Args;
use mteb_models::model::Listener;
use mteb_registry::{ModelCards, Selected};
use mteb_source::model_folder;
use mteb_workers::settings::Settings;

use self::jobs::{Failed, at_once, fetch_files, plan_fetch, show_needed};
use super::arguments::{FilterArgs, PlaceArgs, card_of};
use super::discover::discover;
use super::left_out::check_chosen;
use super::locks::check_locks;
use crate::exit::Exit;
use crate::output;
use crate::view::{Failure, Progress, by_cause};

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
            fetch_files(jobs, &progress, at_once(self.update_lock))
        };
        let failures: Vec<Failure> = failed.iter().map(as_failure).collect();
        by_cause(&failures).iter().for_each(output::error);
        Ok(if failed.is_empty() { exit } else { Exit::Failed })
    }
}

fn as_failure(failed: &Failed) -> Failure<'_> {
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
        Ok(Some(folder)) => Ok(output::print(&format!("{model}: {}", shown_path(&folder.path)))),
        Ok(None) => Err(output::usage(format!(
            "expected a model on the hub, such as `organisation/name`, found: {model}"
        ))),
        Err(error) => {
            output::error(error);
            Ok(Exit::Failed)
        }
    }
}

fn shown_path(path: &Path) -> String {
    path.display().to_string()
}

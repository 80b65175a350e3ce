//! `mteb-host stats`: describes the data of a task, split by split and subset by subset.

use clap::Args;
use mteb_inspect::stats::{UnitStats, unit_stats};
use mteb_registry::Selected;
use mteb_report::output::rows_grid;
use mteb_source::{DataSources, SourceError};
use mteb_tasks::Corpus;
use mteb_workers::settings::Settings;
use serde_json::json;

use super::arguments::{FilterArgs, FormatArgs, PlaceArgs};
use super::discover::discover;
use super::selected::check_locks;
use crate::exit::Exit;
use crate::output;
use crate::view::{say_failed, stats_text};

/// Arguments of `stats`.
#[derive(Args, Debug)]
pub struct StatsArgs {
    /// Task, optionally restricted to subsets.
    #[arg(value_name = "NAME[:subset,subset]")]
    task: String,
    /// Registry name, registry file or task card [default: all known registries].
    #[arg(long, value_name = "NAME|FILE")]
    registry: Vec<String>,
    /// Record the current data files in the lock files of their registries
    /// (`<registry>.lock.toml`).
    #[arg(long)]
    update_lock: bool,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    format: FormatArgs,
}

impl StatsArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        match self.try_run() {
            Ok(exit) | Err(exit) => exit,
        }
    }

    fn try_run(&self) -> Result<Exit, Exit> {
        let settings = Settings { update_lock: self.update_lock, ..self.place.settings() };
        let catalog = discover(&settings);
        let (registry, task) = (self.registry.clone(), vec![self.task.clone()]);
        let filter = FilterArgs { registry, task, ..FilterArgs::default() };
        let registries = filter.registries(&catalog)?;
        let tasks = filter.select(&registries)?;
        check_locks(&tasks, Some(&registries).filter(|_| self.update_lock))?;
        let mut sources = DataSources::new(settings, &catalog);
        let mut exit = Exit::Done;
        for task in tasks.iter().flat_map(Selected::with_data) {
            exit = pick_worse(exit, self.describe(&task, &mut sources));
        }
        Ok(exit)
    }

    fn describe(&self, task: &Selected, sources: &mut DataSources) -> Exit {
        let card = &task.entry.card;
        let (mut units, mut failed) = (Vec::new(), Vec::new());
        for (split, subset) in task.units() {
            match read_stats(task, split, subset, sources) {
                Ok(stats) => units.push(stats),
                Err(error) => failed.push((split, subset, error.to_string())),
            }
        }
        let exit = say_failed(&card.name, &failed);
        let facts = || {
            json!({
                "task": card.name,
                "type": card.task_type,
                "revision": card.revision(),
                "units": units,
            })
        };
        let printed = self
            .format
            .print(facts, |facts| rows_grid(&[], &facts["units"]))
            .unwrap_or_else(|| output::print_prose(&stats_text(&card.name, &units)));
        pick_worse(exit, printed)
    }
}

pub(super) fn read_stats(
    task: &Selected,
    split: &str,
    subset: &str,
    sources: &mut DataSources,
) -> Result<UnitStats, SourceError> {
    let (unit, corpus) = sources.stream(&task.entry, split, subset)?;
    let corpus = corpus.as_ref().map(|corpus| corpus.open().map(|chunk| chunk.map_err(SourceError::from)));
    unit_stats(&task.entry.card, &unit, corpus)
}

fn pick_worse(before: Exit, after: Exit) -> Exit {
    if before == Exit::Done { after } else { before }
}

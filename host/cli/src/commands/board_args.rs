//! The options that say which results are read, shared by `leaderboard`, `report`, `compare`, `figure` and `show results`.

use std::path::{Path, PathBuf};

use clap::Args;
use mteb_engine::registry::ModelCards;
use mteb_report::table::{Board, Tasks};

use super::discover::discover;
use super::filter::FilterArgs;
use super::place_args::PlaceArgs;
use crate::exit::Exit;
use crate::output;
use crate::report::{ScoreSources, Scores, similar};

/// Warnings that are said one by one: published results bring thousands.
const SHOWN: usize = 50;

/// Which results are read, and where they lie.
#[derive(Args, Clone, Debug)]
pub struct BoardArgs {
    /// Folder of result files, of this host or of the public results repository; may be given several times.
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub results: Vec<PathBuf>,
    #[command(flatten)]
    pub filter: FilterArgs,
    #[command(flatten)]
    pub place: PlaceArgs,
}

impl BoardArgs {
    /// Reads the results of the tasks that the filter picks; of those that have results, if it picks none.
    ///
    /// # Errors
    /// The exit code, after the fault was said.
    pub fn read(&self) -> Result<Scores, Exit> {
        let (filter, settings) = (&self.filter, self.place.settings());
        let catalog = discover(&settings);
        let registries = filter.registries(&catalog)?;
        let selected = filter.select(&registries)?;
        // Who asks for no task sees those that have results.
        let tasks = if *filter == FilterArgs::default() { Tasks::WithResults } else { Tasks::Selected };
        let names: Vec<String> = filter.registry.iter().map(|registry| registry_name(registry)).collect();
        let name = filter.benchmark.clone().unwrap_or_else(|| names.join(", "));
        let cards = ModelCards::beside(&filter.registry);
        let place = ScoreSources { folders: &self.results, settings, cards };
        Scores::read(place, &name, selected, tasks, similar(&registries.tasks())).map_err(|error| {
            output::error(error);
            Exit::Usage
        })
    }

    /// Says what was left out of a board, or may not be comparable: the first lines of many.
    pub fn warn(board: &Board) {
        let more = board.warnings.len().saturating_sub(SHOWN);
        board.warnings.iter().take(SHOWN).for_each(output::warn);
        if more > 0 {
            output::warn(format!(
                "{more} more lines like these; `leaderboard --json` has them under `other_data`"
            ));
        }
    }

    /// Says that there are no results.
    pub fn none(&self) -> Exit {
        let folders: Vec<String> = self.results.iter().map(|folder| folder.display().to_string()).collect();
        let tasks = self.filter.benchmark.as_ref().map(|name| format!("the tasks of {name}"));
        let tasks = tasks.unwrap_or_else(|| "these tasks".to_owned());
        output::error(format!("expected results of {tasks} in {}, found none", folders.join(", ")));
        Exit::Usage
    }
}

/// The name of a registry that may be given by its file.
fn registry_name(registry: &str) -> String {
    let stem = registry.strip_suffix(".toml").and_then(|path| Path::new(path).file_name());
    stem.map_or_else(|| registry.to_owned(), |stem| stem.to_string_lossy().into_owned())
}

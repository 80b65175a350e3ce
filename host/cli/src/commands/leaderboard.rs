//! `mteb-host leaderboard`: all results beside each other.

use std::path::PathBuf;

use clap::Args;

use super::PlaceArgs;
use super::discover::discover;
use super::filter::FilterArgs;
use crate::exit::Exit;
use crate::output;
use crate::report::{Leaderboard, Tasks};

/// Arguments of `leaderboard`.
#[derive(Args, Debug)]
pub struct LeaderboardArgs {
    /// Folder of result files; may be given several times.
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: Vec<PathBuf>,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    place: PlaceArgs,
    /// Print JSON on standard output.
    #[arg(long)]
    json: bool,
}

impl LeaderboardArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        let catalog = discover(&self.place.settings());
        let selected =
            match self.filter.registries(&catalog).and_then(|registries| self.filter.select(&registries)) {
                Ok(selected) => selected,
                Err(exit) => return exit,
            };
        // Who asks for no task sees those that have results.
        let tasks = if self.filter == FilterArgs::default() { Tasks::WithResults } else { Tasks::Selected };
        let folders: Vec<String> = self.results.iter().map(|folder| folder.display().to_string()).collect();
        let folders = folders.join(", ");
        match Leaderboard::read(&self.results, &selected, tasks) {
            Ok(board) => {
                board.warnings.iter().for_each(output::warn);
                if board.is_empty() {
                    output::error(format!("expected results of these tasks in {folders}, found none"));
                    return Exit::Usage;
                }
                if self.json {
                    output::print_json(&board.json())
                } else {
                    output::print(board.markdown().trim_end())
                }
            }
            Err(error) => {
                output::error(format!("expected results in {folders}: {error}"));
                Exit::Usage
            }
        }
    }
}

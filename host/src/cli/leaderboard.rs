//! `mteb-host leaderboard`: all results beside each other.

use std::path::PathBuf;

use clap::Args;

use super::PlaceArgs;
use super::filter::FilterArgs;
use crate::exit::Exit;
use crate::output;
use crate::plugins::Catalog;
use crate::report::Leaderboard;

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
        let catalog = Catalog::discover(&self.place.settings());
        let selected =
            match self.filter.registries(&catalog).and_then(|registries| self.filter.select(&registries)) {
                Ok(selected) => selected,
                Err(exit) => return exit,
            };
        match Leaderboard::read(&self.results, &selected) {
            Ok(board) => {
                board.warnings.iter().for_each(output::warn);
                if self.json {
                    output::print_json(&board.json())
                } else {
                    output::print(board.markdown().trim_end())
                }
            }
            Err(error) => {
                let folders: Vec<String> =
                    self.results.iter().map(|folder| folder.display().to_string()).collect();
                output::error(format!("expected results in {}: {error}", folders.join(", ")));
                Exit::Usage
            }
        }
    }
}

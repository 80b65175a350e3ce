//! `mteb-host leaderboard`: all results beside each other.

use clap::{Args, ValueEnum};
use mteb_engine::suggest::some;
use mteb_report::grid::Grid;
use mteb_report::output::{
    board_grid, board_json, board_markdown, csv, grid_json, grid_markdown, latex, reference_grid,
};
use mteb_report::table::{Board, ReferenceTable};

use super::filter::FilterArgs;
use super::place_args::PlaceArgs;
use super::score_args::ScoreArgs;
use crate::exit::Exit;
use crate::output;

/// Arguments of `leaderboard`.
#[derive(Args, Debug)]
pub struct LeaderboardArgs {
    #[command(flatten)]
    scores: ScoreArgs,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    place: PlaceArgs,
    /// Make the table as the reference does: its models, its means, its ranks.
    #[arg(long)]
    like_reference: bool,
    /// Only models of which at least this share of the tasks in percent is unseen [default: 100].
    #[arg(long, value_name = "PERCENT", num_args = 0..=1, default_missing_value = "100")]
    zero_shot: Option<i64>,
    /// Form of the table.
    #[arg(long, value_enum, default_value_t = Format::Markdown, conflicts_with = "json")]
    format: Format,
    /// Print JSON on standard output.
    #[arg(long)]
    json: bool,
}

/// Forms of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Markdown, for people.
    Markdown,
    /// Comma-separated values; no cell is a formula.
    Csv,
    /// JSON.
    Json,
    /// LaTeX with booktabs: the best bold, the second underlined.
    Latex,
}

impl LeaderboardArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        let scores = match self.scores.read(&self.filter, &self.place) {
            Ok(scores) => scores,
            Err(exit) => return exit,
        };
        let format = if self.json { Format::Json } else { self.format };
        if self.like_reference {
            let mut table = scores.reference_table();
            let is_wanted = |share: i64| self.zero_shot.is_none_or(|least| share >= least);
            table.rows.retain(|row| is_wanted(row.zero_shot));
            if table.rows.is_empty() {
                return self.none_like_reference(&scores.board());
            }
            return print_reference(&table, format);
        }
        let mut board = scores.board();
        ScoreArgs::warn(&board);
        if let Some(least) = self.zero_shot {
            board.retain(|row| row.zero_shot.is_some_and(|share| share >= least));
        }
        if board.is_empty() { self.scores.none() } else { print_board(&board, format) }
    }
}

impl LeaderboardArgs {
    /// Says why the reference would show no model: it shows those alone of which it knows enough.
    fn none_like_reference(&self, board: &Board) -> Exit {
        if board.is_empty() || self.zero_shot.is_some() {
            return self.scores.none();
        }
        output::error(format!(
            "expected results of models that the reference knows, for it shows no others, found only: {}; leave out \
             `--like-reference`",
            some(board.rows.iter().map(|row| row.name.as_str()))
        ));
        Exit::Usage
    }
}

fn print_board(board: &Board, format: Format) -> Exit {
    match format {
        Format::Markdown => output::print(board_markdown(board).trim_end()),
        Format::Json => output::print_json(&board_json(board)),
        Format::Csv => print_grid(&board_grid(board, true), format),
        Format::Latex => print_grid(&board_grid(board, false), format),
    }
}

fn print_reference(table: &ReferenceTable, format: Format) -> Exit {
    print_grid(&reference_grid(table), format)
}

/// Prints a table in the form that was asked for.
pub fn print_grid(grid: &Grid, format: Format) -> Exit {
    match format {
        Format::Markdown => output::print(grid_markdown(grid).trim_end()),
        Format::Json => output::print_json(&grid_json(grid)),
        Format::Csv => output::print(csv(grid).trim_end()),
        Format::Latex => output::print(latex(grid).trim_end()),
    }
}

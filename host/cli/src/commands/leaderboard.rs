//! `mteb-host leaderboard`: all results beside each other.

use clap::Args;
use mteb_base::suggest::list_names;
use mteb_base::suggest::some;
use mteb_report::outcomes::add_item_statistics;
use mteb_report::output::{
    Form, board_grid, board_json, board_markdown, language_grid, present_board, reference_grid,
};
use mteb_report::reading::WithoutMeta;
use mteb_report::table::Board;

use super::arguments::{BoardArgs, Format, FormatArgs, print_grid};
use crate::exit::Exit;
use crate::output;

/// Arguments of `leaderboard`.
#[derive(Args, Debug)]
pub struct LeaderboardArgs {
    /// Compute the table as mteb does: its selection of models, its means, its ranks.
    #[arg(long)]
    like_reference: bool,
    /// Only models for which at least this percentage of the tasks is zero-shot, i.e. not in their
    /// training data [default: 100].
    #[arg(long, value_name = "PERCENT", num_args = 0..=1, default_missing_value = "100")]
    zero_shot: Option<i64>,
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    format: FormatArgs,
}

impl LeaderboardArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        let scores = match self.board.read_with_means() {
            Ok(scores) => scores,
            Err(exit) => return exit,
        };
        let format = self.format.or_as_fits();
        if self.like_reference {
            if let Some(WithoutMeta(models)) = WithoutMeta::of(&scores.collection, |_| true) {
                output::warn(format!(
                    "{}: skipped, as by mteb, because there is no `model_meta.json` next to the results",
                    list_names(&models)
                ));
            }
            let mut table = scores.reference_table();
            let is_wanted = |share: i64| self.zero_shot.is_none_or(|least| share >= least);
            table.rows.retain(|row| is_wanted(row.zero_shot));
            if table.rows.is_empty() {
                return self.refuse_as_reference(&scores.board());
            }
            return print_grid(&reference_grid(&table), format);
        }
        let mut board = scores.board();
        if let Some(least) = self.zero_shot {
            board.retain(|row| row.zero_shot.is_some_and(|share| share >= least));
        }
        add_item_statistics(&mut board);
        BoardArgs::warn(&board);
        scores.whose_means().iter().filter(|_| !board.is_empty()).for_each(output::warn);
        if board.is_empty() {
            self.board.report_no_results(!board.warnings.is_empty())
        } else {
            print_board(&board, format)
        }
    }
}

impl LeaderboardArgs {
    /// Says why the reference would show no model: it shows those alone of which it knows enough.
    fn refuse_as_reference(&self, board: &Board) -> Exit {
        if board.is_empty() || self.zero_shot.is_some() {
            return self.board.report_no_results(false);
        }
        output::usage(format!(
            "expected results of models that mteb knows, because it shows no others, found only: {}; leave out \
             `--like-reference`",
            some(board.rows.iter().map(|row| row.name.as_str()))
        ))
    }
}

fn print_board(board: &Board, format: Format) -> Exit {
    match format {
        Format::Json => output::print_json(&board_json(board)),
        Format::Table => {
            let (grid, notes) = present_board(board);
            let tables = std::iter::once(grid).chain(language_grid(board));
            let tables = tables.map(|grid| print_grid(&grid, format));
            let notes = notes.iter().map(|note| output::print_prose(&format!("\n{note}")));
            run_until_fault(tables.chain(notes))
        }
        Format::As(Form::Markdown) => output::print(board_markdown(board).trim_end()),
        Format::As(form) => {
            let is_for_programs = form.is_for_programs();
            let languages = language_grid(board).filter(|_| !is_for_programs);
            let tables = std::iter::once(board_grid(board, is_for_programs)).chain(languages);
            run_until_fault(tables.map(|grid| print_grid(&grid, format)))
        }
    }
}

/// The first exit code that is none of success. What can no longer be printed is not tried.
fn run_until_fault(mut exits: impl Iterator<Item = Exit>) -> Exit {
    exits.find(|exit| *exit != Exit::Done).unwrap_or(Exit::Done)
}

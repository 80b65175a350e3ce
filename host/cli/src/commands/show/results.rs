//! `mteb-host show results MODEL`: every score of a model, and the `model-index` for its README.

use clap::Args;
use mteb_report::grid::{Grid, Value};
use mteb_report::output::model_index;
use mteb_report::table::{Board, Row};

use crate::commands::arguments::{BoardArgs, FormatArgs, print_grid};
use crate::commands::compare::find_of;
use crate::exit::Exit;
use crate::output;

/// Arguments of `show results`.
#[derive(Args, Debug)]
pub struct ResultsArgs {
    /// Name of the model, as shown in `leaderboard`.
    name: String,
    /// Print the `model-index`, with which the model's README shows its scores on the hub.
    #[arg(long, conflicts_with_all = ["json", "format"])]
    model_index: bool,
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    format: FormatArgs,
}

impl ResultsArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        let scores = match self.board.read() {
            Ok(scores) => scores,
            Err(exit) => return exit,
        };
        let board = scores.board();
        let row = match find_of(&scores, &board, &self.name) {
            Ok(row) => row,
            Err(exit) => return exit,
        };
        board.left_out_of_rows(&[row]).iter().for_each(output::warn);
        scores.not_held(&board, |other| other.name == row.name).iter().for_each(output::warn);
        let cells = || board.columns.iter().zip(&row.cells);
        cells().flat_map(|(column, cell)| row.notes_on(column, cell)).for_each(output::warn);
        if self.model_index {
            return output::print(model_index(&board, row).trim_end());
        }
        for (column, cell) in cells().filter(|(_, cell)| cell.undefined > 0) {
            let units = output::count(cell.undefined, "unit");
            output::warn(format!("{}: scored, but undefined: {units}, left out below", column.task.name));
        }
        print_grid(&table(&board, row), self.format.or_as_fits())
    }
}

/// One row a split and subset.
fn table(board: &Board, row: &Row) -> Grid {
    let mut grid = Grid::new(["Task", "Type", "Split", "Subset", "Score", "Measure"]);
    for (column, cell) in board.columns.iter().zip(&row.cells) {
        for ((split, subset), score) in column.units.iter().zip(&cell.units) {
            let texts = [&column.task.name, &column.task.task_type, split, subset];
            let mut cells: Vec<Value> = texts.map(|text| text.as_str().into()).into();
            cells.push(Value::share(*score));
            cells.push(column.task.main_score.as_str().into());
            if score.is_some() {
                grid.rows.push(cells);
            }
        }
    }
    grid
}

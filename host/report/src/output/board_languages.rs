//! The languages of a board one by one, as the reference shows them: a table of its own.

use crate::grid::{Grid, Value};
use crate::table::Board;

/// One row a model, one column a language; `None` where the benchmark shows none.
pub fn language_grid(board: &Board) -> Option<Grid> {
    if board.languages.is_empty() {
        return None;
    }
    let codes = board.languages.iter().map(|language| language.code.as_str());
    let mut grid = Grid::new(std::iter::once("Model").chain(codes));
    for row in &board.rows {
        let means = row.languages.iter().map(|mean| Value::share(*mean));
        grid.rows.push(std::iter::once(row.name.as_str().into()).chain(means).collect());
    }
    Some(grid)
}

//! A board as a grid: what a spreadsheet or a paper takes.

use crate::grid::{Grid, Value};
use crate::table::Board;

/// One row a model: rank, means with their interval, types, and with `tasks` the score of every task.
pub fn board_grid(board: &Board, tasks: bool) -> Grid {
    let mut grid = Grid::new(["Rank (Borda)", "Model", "Tie group", "Mean (Task)"]);
    grid.uncompared = vec![grid.titles.len(), grid.titles.len() + 1];
    grid.titles.extend(["Low", "High"].map(|end| format!("{end} ({})", board.over.name())));
    grid.titles.push("Mean (TaskType)".to_owned());
    grid.titles.extend(board.types.iter().cloned());
    if tasks {
        grid.titles.extend(board.columns.iter().map(|column| column.task.name.clone()));
    }
    for row in &board.rows {
        let mut cells = vec![
            row.rank.into(),
            row.name.as_str().into(),
            row.group.into(),
            Value::share(row.mean),
            Value::share(board.interval(row).map(|interval| interval.low)),
            Value::share(board.interval(row).map(|interval| interval.high)),
            Value::share(row.mean_of_types),
        ];
        cells.extend(row.types.iter().map(|mean| Value::share(*mean)));
        if tasks {
            cells.extend(row.cells.iter().map(|cell| Value::share(cell.complete)));
        }
        grid.rows.push(cells);
    }
    grid
}

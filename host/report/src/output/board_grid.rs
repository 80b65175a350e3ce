//! A board as a grid: what a spreadsheet or a paper takes.

use crate::grid::{Grid, Value};
use crate::table::{Board, BoardGroup, Row};

/// One row a model: rank, means with their interval, types, groups, and with `tasks` the languages that are shown and the score of
/// every task.
pub fn board_grid(board: &Board, tasks: bool) -> Grid {
    let mut grid = Grid::new(["Rank (Borda)", "Model", "Tie group", "Mean (Task)"]);
    grid.uncompared = vec![grid.titles.len(), grid.titles.len() + 1];
    grid.titles.extend(interval_titles(board));
    grid.titles.push("Mean (TaskType)".to_owned());
    grid.titles.extend(board.types.iter().cloned());
    grid.titles.extend(board.groups.iter().map(BoardGroup::title));
    if tasks {
        grid.titles.extend(board.languages.iter().map(|language| language.code.clone()));
        grid.titles.extend(board.columns.iter().map(|column| column.task.name.clone()));
    }
    let has_marks = tasks && board.rows.iter().any(|row| row.cells.iter().any(|cell| cell.is_marked));
    grid.titles.extend(has_marks.then(|| "May be of other data".to_owned()));
    for row in &board.rows {
        let mut cells =
            vec![row.rank.into(), row.name.as_str().into(), row.group.into(), Value::share(row.mean)];
        cells.extend(interval_cells(board, row));
        cells.push(Value::share(row.mean_of_types));
        cells.extend(row.types.iter().chain(&row.groups).map(|mean| Value::share(*mean)));
        if tasks {
            cells.extend(row.languages.iter().map(|mean| Value::share(*mean)));
            cells.extend(row.cells.iter().map(|cell| Value::share(cell.complete)));
        }
        cells.extend(has_marks.then(|| Value::Text(row.marked(&board.columns).join(", "))));
        grid.rows.push(cells);
    }
    grid
}

/// Titles of the two columns with the interval of the mean over tasks, which say what it is over.
pub(super) fn interval_titles(board: &Board) -> [String; 2] {
    ["Low", "High"].map(|end| format!("{end} ({})", board.over.name()))
}

/// The interval of a row under [`interval_titles`].
pub(super) fn interval_cells(board: &Board, row: &Row) -> [Value; 2] {
    let interval = board.interval(row);
    [interval.map(|interval| interval.low), interval.map(|interval| interval.high)].map(Value::share)
}

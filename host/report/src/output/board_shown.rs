//! The board as people read it in a terminal.

use super::board_grid::{interval_cells, interval_titles};
use super::board_notes::{board_notes, mark, missing_tasks};
use crate::grid::{Grid, Value};
use crate::table::{Board, BoardGroup, Row};

/// Incomplete rows whose missing tasks are named; JSON has all.
const NAMED: usize = 10;

/// Scores that may be of other data and are named.
const MARKED: usize = 3;

/// A row a model, the means first, and the lines that stand below the table.
pub fn board_shown(board: &Board) -> (Grid, Vec<String>) {
    let incomplete: Vec<&Row> = board.rows.iter().filter(|row| row.rank.is_none()).collect();
    let has_common = !incomplete.is_empty() && !board.common.is_empty();
    let has_groups = board.rows.iter().any(|row| row.group.is_some());
    let mut grid = Grid::new(["Rank (Borda)", "Model", "Mean (Task)"]);
    grid.titles.extend(interval_titles(board));
    grid.titles.push("Mean (TaskType)".to_owned());
    grid.titles.extend(has_groups.then(|| "Tie group".to_owned()));
    grid.titles.extend(has_common.then(|| format!("Mean ({} in common)", board.common.len())));
    grid.titles.extend(board.types.iter().cloned());
    grid.titles.extend(board.groups.iter().map(BoardGroup::title));
    for row in &board.rows {
        let mut cells =
            vec![row.rank.into(), Value::Text(format!("{}{}", row.name, mark(row))), Value::share(row.mean)];
        cells.extend(interval_cells(board, row));
        cells.push(Value::share(row.mean_of_types));
        cells.extend(has_groups.then(|| Value::from(row.group)));
        cells.extend(has_common.then(|| Value::share(row.common_mean)));
        cells.extend(row.types.iter().chain(&row.groups).map(|mean| Value::share(*mean)));
        grid.rows.push(cells);
    }
    let mut notes = board_notes(board, MARKED, in_one_line);
    let lacks = incomplete.iter().take(NAMED);
    notes.extend(lacks.map(|row| {
        let missing = missing_tasks(board, row, in_one_line);
        format!("{} lacks {missing}", in_one_line(&row.name))
    }));
    let more = incomplete.len().saturating_sub(NAMED);
    if more > 0 {
        notes.push(format!("{more} more lack tasks; `--json` lists them under `missing`"));
    }
    (grid, notes)
}

/// A name of others in a line below the table.
fn in_one_line(name: &str) -> String {
    crate::visible_line(name).into_owned()
}

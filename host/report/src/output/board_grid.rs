//! Boards as grids: for spreadsheets and papers, for people in a terminal, by language, and under
//! the reference's titles.

use super::board_notes::{board_notes, mark, missing_tasks};
use crate::grid::{Grid, Value};
use crate::table::{Board, BoardGroup, ReferenceTable, Row};

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
        cells.extend(has_marks.then(|| Value::Text(row.list_marked_tasks(&board.columns).join(", "))));
        grid.rows.push(cells);
    }
    grid
}

/// Titles of the two columns with the interval of the mean over tasks, which say what it is over.
fn interval_titles(board: &Board) -> [String; 2] {
    ["Low", "High"].map(|end| format!("{end} ({})", board.over.name()))
}

/// The interval of a row under [`interval_titles`].
fn interval_cells(board: &Board, row: &Row) -> [Value; 2] {
    let interval = board.interval(row);
    [interval.map(|interval| interval.low), interval.map(|interval| interval.high)].map(Value::share)
}

/// Incomplete rows whose missing tasks are named; JSON has all.
const NAMED: usize = 10;

/// Scores that may be of other data and are named.
const MARKED: usize = 3;

/// A row a model, the means first, and the lines that stand below the table.
pub fn present_board(board: &Board) -> (Grid, Vec<String>) {
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
    let mut notes = board_notes(board, MARKED, show_in_one_line);
    let lacks = incomplete.iter().take(NAMED);
    notes.extend(lacks.map(|row| {
        let missing = missing_tasks(board, row, show_in_one_line);
        format!("{} lacks {missing}", show_in_one_line(&row.name))
    }));
    let more = incomplete.len().saturating_sub(NAMED);
    if more > 0 {
        notes.push(format!("{more} more lack tasks; `--json` lists them under `missing`"));
    }
    (grid, notes)
}

/// A name of others in a line below the table.
fn show_in_one_line(name: &str) -> String {
    crate::visible_line(name).into_owned()
}

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

/// One row a model; the titles are those of the reference's `get_benchmark_result()`.
pub fn reference_grid(table: &ReferenceTable) -> Grid {
    let mut grid = Grid::new([
        "Rank (Borda)",
        "Model",
        "Zero-shot",
        "Active Parameters (B)",
        "Total Parameters (B)",
        "Embedding Dimensions",
        "Max Tokens",
        "Mean (Task)",
        "Mean (TaskType)",
    ]);
    grid.titles.extend(table.types.iter().cloned());
    grid.titles.push("Release Date".to_owned());
    for row in &table.rows {
        let whole =
            |number: Option<u32>| number.map_or(Value::None, |number| Value::Whole(i64::from(number)));
        let mut cells = vec![
            row.rank.into(),
            row.model.as_str().into(),
            Value::Whole(row.zero_shot),
            Value::number(row.active_parameters),
            Value::number(row.parameters),
            whole(row.dimension),
            whole(row.max_tokens),
            Value::share(row.mean_task),
            Value::share(row.mean_task_type),
        ];
        cells.extend(row.types.iter().map(|mean| Value::share(*mean)));
        cells.push(row.release_date.as_deref().into());
        grid.rows.push(cells);
    }
    grid
}

//! The tables of the MTEB paper, from a board. Source: Muennighoff et al. 2023, tables 1 and 11 to 14.

use super::paper::family;
use crate::grid::{Grid, Value};
use crate::table::{Board, Row};

/// Table 1: the mean of each task type and over all tasks, models grouped by family, number of datasets in the head.
pub fn table_1(board: &Board) -> Grid {
    let mut grid = Grid::new(["Family", "Model"]);
    for name in &board.types {
        grid.titles.push(format!("{name} ({})", board.tasks_of(name).len()));
    }
    grid.titles.push(format!("Average ({})", board.columns.len()));
    let mut rows: Vec<&Row> = board.rows.iter().filter(|row| row.types.iter().any(Option::is_some)).collect();
    rows.sort_by_cached_key(|row| family(&row.model));
    for row in rows {
        let mut cells = vec![family(&row.model).as_str().into(), row.name.as_str().into()];
        cells.extend(row.types.iter().map(|mean| Value::share(*mean)));
        cells.push(Value::share(row.mean));
        grid.rows.push(cells);
    }
    grid
}

/// Tables 11 to 14: one row a task and one column a model, the tasks of each type followed by their average.
pub fn table_11(board: &Board, models: &[&Row]) -> Grid {
    let mut grid = Grid::new(std::iter::once("Dataset").chain(models.iter().map(|row| row.name.as_str())));
    for (number, name) in board.types.iter().enumerate() {
        for task in board.tasks_of(name) {
            let cells = models.iter().map(|row| Value::share(row.cells[task].complete));
            grid.rows
                .push(std::iter::once(board.columns[task].task.name.as_str().into()).chain(cells).collect());
        }
        let cells = models.iter().map(|row| Value::share(row.types[number]));
        grid.rows.push(std::iter::once(format!("Average ({name})").as_str().into()).chain(cells).collect());
    }
    let cells = models.iter().map(|row| Value::share(row.mean));
    grid.rows.push(std::iter::once("Average".into()).chain(cells).collect());
    grid
}

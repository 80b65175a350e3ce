//! The reference's table as a grid, under the reference's own titles.

use crate::grid::{Grid, Value};
use crate::table::ReferenceTable;

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

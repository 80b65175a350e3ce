//! One row for each value of a column.

use mteb_card::Once;
use mteb_data::{DataError, Table};

/// The table with one of the rows that have the same value in `column`, where the first of them stood.
///
/// # Errors
/// If the column is absent, or a cell is null, a list or an object.
pub fn once(table: &Table, column: &str, which: Once) -> Result<Table, DataError> {
    let groups = table.groups(column)?;
    let row = |rows: &Vec<usize>| match which {
        Once::First => rows.first().copied(),
        Once::Last => rows.last().copied(),
    };
    let rows: Vec<usize> = groups.iter().filter_map(|(_, rows)| row(rows)).collect();
    Ok(table.select(&rows))
}

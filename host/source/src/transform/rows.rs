//! Rows chosen by their cells, and rows folded into lists.

use mteb_card::Once;
use mteb_data::{Column, DataError, Table};
use serde_json::Value;

/// The table with one of the rows that have the same value in `column`, where the first of them stood.
///
/// # Errors
/// If the column is absent, or a cell is null, a list or an object.
pub fn choose_once(table: &Table, column: &str, which: Once) -> Result<Table, DataError> {
    let groups = table.groups(column)?;
    let row = |rows: &Vec<usize>| match which {
        Once::First => rows.first().copied(),
        Once::Last => rows.last().copied(),
    };
    let rows: Vec<usize> = groups.iter().filter_map(|(_, rows)| row(rows)).collect();
    Ok(table.select(&rows))
}

/// `count` rows, each with lists of consecutive rows of `table`; the first ones are one longer where they cannot be equally
/// long.
///
/// # Errors
/// If there are fewer rows than that.
pub fn fold_rows(table: &Table, count: usize) -> Result<Table, DataError> {
    if table.rows() < count {
        return Err(DataError::Malformed {
            place: table.place(0).0.to_owned(),
            message: format!("expected at least {count} rows for as many lists, found {}", table.rows()),
        });
    }
    let (size, longer) = (table.rows() / count, table.rows() % count);
    let start = |list: usize| list * size + list.min(longer);
    let mut folded = table.select(&(0..count).map(start).collect::<Vec<_>>());
    let names: Vec<String> = table.names().map(str::to_owned).collect();
    for name in names {
        let column = table.column(&name)?;
        let list = |list| Value::Array((start(list)..start(list + 1)).map(|row| column.value(row)).collect());
        folded = folded.with_column(&name, Column::Any((0..count).map(list).collect()));
    }
    Ok(folded)
}

/// True if `cell` is one of `values`.
pub fn is_among(cell: &Value, values: &[Value]) -> bool {
    values.iter().any(|value| is_same(cell, value))
}

/// True if `cell` is `value`; numbers are equal in whatever form they are written.
fn is_same(cell: &Value, value: &Value) -> bool {
    match (cell.as_f64(), value.as_f64()) {
        (Some(cell), Some(value)) => cell == value,
        _ => cell == value,
    }
}

//! Rows become rows of lists.

use mteb_data::{Column, DataError, Table};
use serde_json::Value;

/// `count` rows, each with lists of consecutive rows of `table`; the first ones are one longer where they cannot be equally
/// long.
///
/// # Errors
/// If there are fewer rows than that.
pub fn folded(table: &Table, count: usize) -> Result<Table, DataError> {
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

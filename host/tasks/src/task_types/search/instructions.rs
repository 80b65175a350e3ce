//! The instruction of each query, from its own table or from a column of the queries.

use std::collections::HashMap;

use mteb_data::{Column, DataError, Table, Texts, all_cells};
use serde_json::Value;

use super::ids::id_column;
use crate::{Part, Unit};

/// The instruction of each query in `rows`; `None` where it has none.
///
/// # Errors
/// If the unit has a table of instructions that lacks one for a query.
pub(super) fn instructions(
    unit: &Unit,
    rows: &[usize],
    ids: &Texts,
) -> Result<Vec<Option<String>>, DataError> {
    match unit.get(Part::Instruction) {
        Some(table) => from_table(table, rows, ids),
        None => from_column(unit.part(Part::Queries)?, rows),
    }
}

fn from_table(table: &Table, rows: &[usize], ids: &Texts) -> Result<Vec<Option<String>>, DataError> {
    let query_ids = id_column(table, "query-id")?;
    let column = table.column("instruction")?;
    let by_id: HashMap<&str, usize> = query_ids.iter().enumerate().map(|(row, id)| (id, row)).collect();
    all_cells(rows.iter().map(|&row| match by_id.get(&ids[row]) {
        Some(&found) => text(table, column, found),
        None => Err(DataError::Missing {
            place: table.place(0).0.to_owned(),
            what: "instruction for query",
            name: ids[row].to_owned(),
            present: format!("one for other queries, {} in all", by_id.len()),
        }),
    }))
}

fn from_column(queries: &Table, rows: &[usize]) -> Result<Vec<Option<String>>, DataError> {
    match queries.get("instruction") {
        Some(column) => all_cells(rows.iter().map(|&row| text(queries, column, row))),
        None => Ok(vec![None; rows.len()]),
    }
}

fn text(table: &Table, column: &Column, row: usize) -> Result<Option<String>, DataError> {
    match column.value(row) {
        Value::String(text) => Ok(Some(text)),
        Value::Null => Ok(None),
        other => Err(table.fault("instruction", row, "a string or null", &other)),
    }
}

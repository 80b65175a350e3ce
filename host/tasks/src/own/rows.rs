//! The rows of a unit as its evaluator gets them, once their columns are what the type declares.

use mteb_card::{Holds, TypeDeclaration};
use mteb_data::Table;
use serde_json::{Map, Value};

use crate::EvaluateError;

/// The declared columns of `table` as JSON lines.
///
/// # Errors
/// If a column is absent, or a cell is not what the type declares.
pub fn checked_rows(table: &Table, declaration: &TypeDeclaration) -> Result<Vec<u8>, EvaluateError> {
    if table.rows() == 0 {
        let place = table.place(0).0;
        return Err(EvaluateError::Unscorable(format!("{place}: expected at least 1 row, found none")));
    }
    let mut columns = Vec::new();
    for (name, column) in &declaration.columns {
        if column.optional && table.get(name).is_none() {
            continue;
        }
        match column.holds {
            Holds::Any => drop(table.column(name)?),
            Holds::Text => drop(table.texts(name)?),
            Holds::Texts => drop(table.text_lists(name)?),
            Holds::Number => drop(table.floats(name)?),
        }
        columns.push((name, table.column(name)?));
    }
    let mut lines = Vec::new();
    for row in 0..table.rows() {
        let cells: Map<String, Value> =
            columns.iter().map(|(name, column)| ((*name).clone(), column.value(row))).collect();
        serde_json::to_writer(&mut lines, &cells)
            .map_err(|error| EvaluateError::Unscorable(error.to_string()))?;
        lines.push(b'\n');
    }
    Ok(lines)
}

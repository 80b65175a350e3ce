//! When a cell is one of the values that a card names.

use serde_json::Value;

/// True if `cell` is one of `values`.
pub fn among(cell: &Value, values: &[Value]) -> bool {
    values.iter().any(|value| same(cell, value))
}

/// True if `cell` is `value`; numbers are equal in whatever form they are written.
fn same(cell: &Value, value: &Value) -> bool {
    match (cell.as_f64(), value.as_f64()) {
        (Some(cell), Some(value)) => cell == value,
        _ => cell == value,
    }
}

//! When a cell is the value that a card names.

use serde_json::Value;

/// True if `cell` is `value`; numbers are equal in whatever form they are written.
pub fn same(cell: &Value, value: &Value) -> bool {
    match (cell.as_f64(), value.as_f64()) {
        (Some(cell), Some(value)) => cell == value,
        _ => cell == value,
    }
}

//! Labels that are given as one weight a class.

use mteb_card::SoftLabels;
use mteb_data::{Column, DataError, Table};
use serde_json::Value;

/// The table with a column `label`: the place of the class that each cell names or gives the largest weight. Rows
/// whose cell does neither are left out.
///
/// # Errors
/// If the column is absent.
pub fn hardened(table: Table, soft: &SoftLabels) -> Result<Table, DataError> {
    let cells = table.column(&soft.column)?;
    let (rows, labels): (Vec<usize>, Vec<i64>) = (0..table.rows())
        .filter_map(|row| Some((row, label(&cells.value(row), &soft.classes)? as i64)))
        .unzip();
    Ok(table.select(&rows).with_column("label", Column::Int(labels)))
}

fn label(cell: &Value, classes: &[String]) -> Option<usize> {
    if let Value::String(text) = cell {
        if let Some(place) = classes.iter().position(|class| class == text) {
            return Some(place);
        }
        let list: Value = serde_json::from_str(text).ok()?;
        return if list.is_array() { label(&list, classes) } else { None };
    }
    let weights: Vec<f64> = cell.as_array()?.iter().map(Value::as_f64).collect::<Option<_>>()?;
    if weights.len() != classes.len() {
        return None;
    }
    let mut largest = 0;
    for (place, weight) in weights.iter().enumerate() {
        if *weight > weights[largest] {
            largest = place;
        }
    }
    Some(largest)
}

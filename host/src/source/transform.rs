//! What a card changes in its rows: filters and replaced labels.

use std::collections::BTreeMap;

use mteb_data::{Column, Table};
use mteb_plugin_api::card::TaskCard;
use serde_json::Value;

use super::SourceError;

/// Applies the card's filters and label map to rows.
///
/// # Errors
/// If a named column is absent, or a label has no entry in the map.
pub fn transform(mut table: Table, card: &TaskCard) -> Result<Table, SourceError> {
    let dataset = &card.dataset;
    for (column, values) in &dataset.keep {
        table = filtered(&table, column, |cell| values.contains(cell))?;
    }
    for (column, values) in &dataset.drop {
        table = filtered(&table, column, |cell| !values.contains(cell))?;
    }
    if !dataset.label_map.is_empty() {
        table = mapped(table, &dataset.label_map)?;
    }
    Ok(table)
}

fn filtered(table: &Table, column: &str, keep: impl Fn(&Value) -> bool) -> Result<Table, SourceError> {
    let cells = table.column(column)?;
    let rows: Vec<usize> = (0..table.rows()).filter(|&row| keep(&cells.value(row))).collect();
    Ok(table.select(&rows))
}

fn mapped(table: Table, map: &BTreeMap<String, Value>) -> Result<Table, SourceError> {
    let name = if table.get("label").is_some() { "label" } else { "labels" };
    let cells = table.column(name)?;
    let mut labels = Vec::with_capacity(table.rows());
    for row in 0..table.rows() {
        let cell = cells.value(row);
        let key = if let Value::String(text) = &cell { text.clone() } else { cell.to_string() };
        match map.get(&key) {
            Some(label) => labels.push(label.clone()),
            None => {
                let known = map.keys().cloned().collect::<Vec<_>>().join(", ");
                return Err(table.fault(name, row, &format!("a label among {known}"), &cell).into());
            }
        }
    }
    Ok(table.with_column(name, Column::Any(labels)))
}

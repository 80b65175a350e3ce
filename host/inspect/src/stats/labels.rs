//! Labels and scores counted.

use std::collections::BTreeMap;

use mteb_data::{DataError, Table, written};
use serde::Serialize;
use serde_json::Value;

/// How often each label occurs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LabelStats {
    /// Different labels.
    pub distinct: usize,
    /// Cells without label: null, or an empty list.
    pub missing: usize,
    /// How often each label occurs; labels of lists count one by one.
    pub counts: BTreeMap<String, usize>,
}

/// Where numbers lie.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NumberStats {
    /// Numbers.
    pub count: usize,
    /// Smallest.
    pub min: f64,
    /// Mean.
    pub mean: f64,
    /// Largest.
    pub max: f64,
    /// Different numbers.
    pub distinct: usize,
}

/// Counts the labels of column `name`.
///
/// # Errors
/// If there is no such column.
pub fn labels(table: &Table, name: &str) -> Result<LabelStats, DataError> {
    let mut stats = LabelStats::default();
    let column = table.column(name)?;
    for row in 0..table.rows() {
        count(&column.value(row), &mut stats);
    }
    stats.distinct = stats.counts.len();
    Ok(stats)
}

fn count(cell: &Value, stats: &mut LabelStats) {
    let label = match cell {
        Value::Array(cells) if !cells.is_empty() => return cells.iter().for_each(|cell| count(cell, stats)),
        Value::Array(_) | Value::Null => {
            stats.missing += 1;
            return;
        }
        label => written(label),
    };
    *stats.counts.entry(label).or_default() += 1;
}

/// Describes the numbers of column `name`, elements of lists one by one; `None` if there are none.
///
/// # Errors
/// If there is no such column.
pub fn numbers(table: &Table, name: &str) -> Result<Option<NumberStats>, DataError> {
    let mut numbers = Vec::new();
    let column = table.column(name)?;
    for row in 0..table.rows() {
        collect(&column.value(row), &mut numbers);
    }
    numbers.sort_by(f64::total_cmp);
    let (Some(&min), Some(&max)) = (numbers.first(), numbers.last()) else { return Ok(None) };
    let (count, mean) = (numbers.len(), numbers.iter().sum::<f64>() / numbers.len() as f64);
    numbers.dedup();
    Ok(Some(NumberStats { count, min, mean, max, distinct: numbers.len() }))
}

fn collect(cell: &Value, numbers: &mut Vec<f64>) {
    match cell {
        Value::Array(cells) => cells.iter().for_each(|cell| collect(cell, numbers)),
        cell => numbers.extend(cell.as_f64()),
    }
}

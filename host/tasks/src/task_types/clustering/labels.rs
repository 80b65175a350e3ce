//! The labels of rows, as the data has them and as numbers.

use std::fmt;
use std::mem::discriminant;

use mteb_data::{Column, DataError, Table, all_cells};
use serde_json::Value;

/// Column that holds the labels.
pub(super) const COLUMN: &str = "labels";

/// A label; booleans sort as false and true, numbers by value, texts by code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Label<'a> {
    Boolean(bool),
    Number(i64),
    Text(&'a str),
}

/// The labels of each of `rows`; a cell that is no list counts as a list of one label.
///
/// # Errors
/// If the labels are not all booleans, all whole numbers or all texts.
pub(super) fn label_lists<'a>(table: &'a Table, rows: &[usize]) -> Result<Vec<Vec<Label<'a>>>, DataError> {
    let column = table.column(COLUMN)?;
    let mut kind = None;
    let lists = rows.iter().map(|&row| {
        let expected =
            || table.fault(COLUMN, row, "texts, whole numbers or booleans as labels", &column.value(row));
        let labels = labels_of(column, row).ok_or_else(expected)?;
        for &label in &labels {
            let first = *kind.get_or_insert(label);
            if discriminant(&first) != discriminant(&label) {
                let expected = format!("{} like the labels before it", first.kind());
                return Err(table.fault(COLUMN, row, &expected, &column.value(row)));
            }
        }
        Ok(labels)
    });
    all_cells(lists)
}

/// The distinct labels in ascending order.
pub(super) fn distinct<'a>(labels: impl IntoIterator<Item = Label<'a>>) -> Vec<Label<'a>> {
    let mut distinct: Vec<Label<'a>> = labels.into_iter().collect();
    distinct.sort_unstable();
    distinct.dedup();
    distinct
}

/// Place of `label` among `distinct` labels.
pub(super) fn number(distinct: &[Label<'_>], label: Label<'_>) -> u32 {
    distinct.partition_point(|other| *other < label) as u32
}

impl fmt::Display for Label<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boolean(label) => label.fmt(formatter),
            Self::Number(label) => label.fmt(formatter),
            Self::Text(label) => label.fmt(formatter),
        }
    }
}

impl Label<'_> {
    fn kind(self) -> &'static str {
        match self {
            Self::Boolean(_) => "booleans",
            Self::Number(_) => "whole numbers",
            Self::Text(_) => "texts",
        }
    }
}

fn labels_of(column: &Column, row: usize) -> Option<Vec<Label<'_>>> {
    let label = match column {
        Column::Text(cells) => cells.get(row).map(Label::Text),
        Column::Int(cells) => Some(Label::Number(cells[row])),
        Column::Float(cells) => whole(cells[row]).map(Label::Number),
        Column::Any(cells) => match &cells[row] {
            Value::Array(labels) => return labels.iter().map(label_of).collect(),
            other => label_of(other),
        },
    };
    label.map(|label| vec![label])
}

fn label_of(value: &Value) -> Option<Label<'_>> {
    match value {
        Value::Bool(label) => Some(Label::Boolean(*label)),
        Value::String(label) => Some(Label::Text(label)),
        Value::Number(label) => label.as_i64().or_else(|| label.as_f64().and_then(whole)).map(Label::Number),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn whole(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64)
}

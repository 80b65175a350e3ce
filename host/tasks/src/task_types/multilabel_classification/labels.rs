//! The label lists of rows as numbers, ascending as the reference sorts the labels.

use std::mem::discriminant;

use mteb_data::{DataError, Table, all_cells};
use serde_json::Value;

/// Column that holds the label lists.
const COLUMN: &str = "label";

/// A label as the data has it; numbers sort by value, texts by code points.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Label {
    Number(i64),
    Text(String),
}

/// The labels of the rows of two tables.
type Lists = [Vec<Vec<u32>>; 2];

/// For each of `tables`, the labels of every row in their order there; over all tables, the labels are numbered from
/// 0 in ascending order. And the label of each number, for messages.
///
/// # Errors
/// If a cell is no list, or if the labels are not all texts or all whole numbers.
pub(super) fn label_lists(tables: [&Table; 2]) -> Result<(Lists, Vec<String>), DataError> {
    let mut first = None;
    let [train, test] = tables;
    let (train, test) = (labels(train, &mut first)?, labels(test, &mut first)?);
    let mut distinct: Vec<&Label> = train.iter().chain(&test).flatten().collect();
    distinct.sort_unstable();
    distinct.dedup();
    let number = |label: &Label| distinct.partition_point(|other| *other < label) as u32;
    let numbers = |rows: &[Vec<Label>]| rows.iter().map(|row| row.iter().map(number).collect()).collect();
    let name = |label: &&Label| match label {
        Label::Number(number) => number.to_string(),
        Label::Text(text) => text.clone(),
    };
    Ok(([numbers(&train), numbers(&test)], distinct.iter().map(name).collect()))
}

/// The label lists of `table`; `first` is the first label of all tables, whose kind the others must have.
fn labels(table: &Table, first: &mut Option<Label>) -> Result<Vec<Vec<Label>>, DataError> {
    let lists = table.lists(COLUMN)?.into_iter().enumerate();
    let rows = lists.map(|(row, list)| {
        let cells: Option<Vec<Label>> = list.iter().map(label).collect();
        if first.is_none() {
            *first = cells.as_ref().and_then(|cells| cells.first()).cloned();
        }
        let expected = match first {
            None => "a list of texts or of whole numbers",
            Some(Label::Text(_)) => "a list of texts",
            Some(Label::Number(_)) => "a list of whole numbers",
        };
        let alike =
            |cell: &Label| first.as_ref().is_none_or(|first| discriminant(first) == discriminant(cell));
        cells
            .filter(|cells| cells.iter().all(alike))
            .ok_or_else(|| table.fault(COLUMN, row, expected, &Value::Array(list)))
    });
    all_cells(rows)
}

fn label(cell: &Value) -> Option<Label> {
    match cell {
        Value::String(label) => Some(Label::Text(label.clone())),
        Value::Number(label) => {
            let whole = |float: &f64| float.fract() == 0.0 && float.abs() < 9e15;
            let number = label.as_i64().or_else(|| label.as_f64().filter(whole).map(|float| float as i64));
            number.map(Label::Number)
        }
        _ => None,
    }
}

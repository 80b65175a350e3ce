//! The labels of rows as numbers, ascending as the reference sorts them, and what they must be so
//! that a classifier can learn from them and be scored.

use std::collections::BTreeSet;
use std::fmt;

use mteb_base::counted::count;
use mteb_data::{Column, DataError, Table, all_cells};
use serde_json::Value;

use crate::EvaluateError;
use crate::task_types::few_shot::some_quoted;

/// Column that holds the labels.
const COLUMN: &str = "label";

/// A label as the data has it; booleans sort as false and true, numbers by value, texts by code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Label<'a> {
    Boolean(bool),
    Number(i64),
    Text(&'a str),
}

/// The labels of several tables, numbered from 0 in ascending order.
pub(super) struct Labels {
    /// For each table, the number of each row's label.
    pub rows: Vec<Vec<usize>>,
    /// The label of each number, for messages.
    pub names: Vec<String>,
    /// Number of the label that average precision takes as positive: 1 or true.
    pub positive: Option<usize>,
}

impl Labels {
    /// The labels of all `tables`, which must all be texts, all whole numbers or all booleans.
    pub fn read(tables: &[&Table]) -> Result<Self, DataError> {
        let mut columns = Vec::with_capacity(tables.len());
        let mut kind = None;
        for table in tables {
            let column = table.column(COLUMN)?;
            let is_told = odd_texts(column);
            let labels = (0..table.rows()).map(|row| {
                let label = label(table, column, row)?;
                let first = *kind.get_or_insert(label);
                if !is_told || !is_written_number(first, label) {
                    check_kind(first, label, table, row)?;
                }
                Ok(label)
            });
            columns.push(all_cells(labels)?);
        }
        let mut distinct: Vec<Label<'_>> = columns.iter().flatten().copied().collect();
        distinct.sort_unstable();
        distinct.dedup();
        let number = |label: &Label<'_>| distinct.partition_point(|other| other < label);
        Ok(Self {
            rows: columns.iter().map(|column| column.iter().map(number).collect()).collect(),
            names: distinct.iter().map(ToString::to_string).collect(),
            positive: distinct
                .iter()
                .position(|label| matches!(label, Label::Boolean(true) | Label::Number(1))),
        })
    }
}

fn label<'a>(table: &Table, column: &'a Column, row: usize) -> Result<Label<'a>, DataError> {
    let label = match column {
        Column::Text(cells) => cells.get(row).map(Label::Text),
        Column::Int(cells) => Some(Label::Number(cells[row])),
        Column::Float(cells) => whole(cells[row]).map(Label::Number),
        Column::Any(cells) => match &cells[row] {
            Value::Bool(label) => Some(Label::Boolean(*label)),
            Value::String(label) => Some(Label::Text(label)),
            Value::Number(label) => {
                label.as_i64().or_else(|| label.as_f64().and_then(whole)).map(Label::Number)
            }
            _ => None,
        },
    };
    label.ok_or_else(|| {
        table.fault(COLUMN, row, "a label: a text, a whole number or a boolean", &column.value(row))
    })
}

fn whole(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64)
}

/// True of a column of texts some of which are no numbers: one odd cell makes texts of all of a column of CSV, and is told of alone.
fn odd_texts(column: &Column) -> bool {
    let Column::Text(cells) = column else { return false };
    (0..cells.len()).any(|row| cells.get(row).is_some_and(|text| text.parse::<i64>().is_err()))
}

/// True of a text that is a whole number, where numbers are expected.
fn is_written_number(first: Label<'_>, label: Label<'_>) -> bool {
    matches!((first, label), (Label::Number(_), Label::Text(text)) if text.parse::<i64>().is_ok())
}

fn check_kind(first: Label<'_>, label: Label<'_>, table: &Table, row: usize) -> Result<(), DataError> {
    let expected = match (first, label) {
        (Label::Boolean(_), Label::Boolean(_))
        | (Label::Number(_), Label::Number(_))
        | (Label::Text(_), Label::Text(_)) => return Ok(()),
        (Label::Boolean(_), _) => "a boolean",
        (Label::Number(_), _) => "a whole number",
        (Label::Text(_), _) => "a text",
    };
    let expected = format!("{expected} like the labels before it");
    Err(table.fault(COLUMN, row, &expected, &table.column(COLUMN)?.value(row)))
}

impl fmt::Display for Label<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boolean(label) => write!(formatter, "{label}"),
            Self::Number(label) => write!(formatter, "{label}"),
            Self::Text(label) => write!(formatter, "{label}"),
        }
    }
}

/// The label that average precision takes as positive: none unless `truth` has exactly two labels.
pub fn positive_label(
    labels: &Labels,
    truth: &[usize],
    table: &Table,
) -> Result<Option<usize>, EvaluateError> {
    let mut distinct = truth.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let [low, high] = distinct[..] else { return Ok(None) };
    match labels.positive.filter(|positive| distinct.contains(positive)) {
        Some(positive) => Ok(Some(positive)),
        None => Err(EvaluateError::Unscorable(format!(
            "{}, column `label`: expected one of two labels to be the number 1 or the boolean true, the \
             positive class of average precision, found: {} and {}; map them to 0 and 1 with `label_map`",
            table.place(0).0,
            labels.names[low],
            labels.names[high],
        ))),
    }
}

/// Notes on the labels of the rows to predict: those that no training row has, and one that all have.
///
/// # Errors
/// If no training row has any of them, and that is refused (`strict`).
pub fn check_predicted(
    labels: &Labels,
    train: &[usize],
    truth: &[usize],
    table: &Table,
    strict: bool,
) -> Result<Vec<String>, EvaluateError> {
    let learned: BTreeSet<usize> = train.iter().copied().collect();
    let wanted: BTreeSet<usize> = truth.iter().copied().collect();
    let unknown: BTreeSet<usize> = wanted.difference(&learned).copied().collect();
    let place = format!("{}, column `label`", table.place(0).0);
    let names = |numbers: &BTreeSet<usize>| some_quoted(numbers.iter().map(|&number| &labels.names[number]));
    let mut notes = Vec::new();
    if wanted.len() == 1 {
        notes.push(format!(
            "{place}: expected rows to predict of at least 2 labels, found only {}",
            names(&wanted)
        ));
    }
    if unknown.is_empty() {
        return Ok(notes);
    }
    if strict && unknown.len() == wanted.len() {
        return Err(EvaluateError::Unscorable(format!(
            "{place}: expected labels of the training rows ({}), found none of them, but {}; correct the labels \
             of one of the two",
            names(&learned),
            names(&unknown)
        )));
    }
    let rows = truth.iter().filter(|label| unknown.contains(label)).count();
    notes.push(format!(
        "{place}: labels that no training row has, so that no model can predict them: {} ({rows} of {})",
        names(&unknown),
        count(truth.len(), "row")
    ));
    Ok(notes)
}

/// Refuses rows to learn from that do not differ in their label.
pub fn check_labels(train: &[usize], table: &Table) -> Result<(), EvaluateError> {
    if train.iter().any(|label| *label != train[0]) {
        return Ok(());
    }
    Err(EvaluateError::Unscorable(format!(
        "{}, column `label`: expected training rows of at least 2 labels, found {} of {}",
        table.place(0).0,
        count(train.len(), "row"),
        if train.is_empty() { "none" } else { "one label" },
    )))
}

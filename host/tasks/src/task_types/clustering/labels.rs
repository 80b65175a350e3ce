//! The labels of rows, as the data has them and as numbers, and the levels of their hierarchy.

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
    Number(Number),
    Text(&'a str),
}

/// A finite number, in the order of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Number {
    /// The largest whole number that is not above it.
    whole: i64,
    /// 0 of a whole number, else the bits of the number, flipped so that they are in the order of numbers.
    bits: u64,
}

/// The sign of a floating-point number.
const SIGN: u64 = 1 << 63;

impl Number {
    /// A number without a fraction.
    pub const fn of(whole: i64) -> Self {
        Self { whole, bits: 0 }
    }

    /// `None` if it is not finite, or so large that it cannot be told from its neighbours.
    fn new(number: f64) -> Option<Self> {
        let bits = number.to_bits();
        let ordered = if bits & SIGN == 0 { bits | SIGN } else { !bits };
        let bits = if number.fract() == 0.0 { 0 } else { ordered };
        (number.abs() < 9e15).then(|| Self { whole: number.floor() as i64, bits })
    }
}

/// The labels of each of `rows`; a cell that is no list counts as a list of one label.
///
/// # Errors
/// If the labels are not all booleans, all numbers or all texts.
pub(super) fn label_lists<'a>(table: &'a Table, rows: &[usize]) -> Result<Vec<Vec<Label<'a>>>, DataError> {
    let column = table.column(COLUMN)?;
    let mut kind = None;
    let lists = rows.iter().map(|&row| {
        let expected =
            || table.fault(COLUMN, row, "texts, numbers or booleans as labels", &column.value(row));
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
            Self::Number(number) => number.fmt(formatter),
            Self::Text(label) => label.fmt(formatter),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bits {
            0 => self.whole.fmt(formatter),
            positive if positive & SIGN != 0 => f64::from_bits(positive & !SIGN).fmt(formatter),
            negative => f64::from_bits(!negative).fmt(formatter),
        }
    }
}

impl Label<'_> {
    fn kind(self) -> &'static str {
        match self {
            Self::Boolean(_) => "booleans",
            Self::Number(_) => "numbers",
            Self::Text(_) => "texts",
        }
    }
}

fn labels_of(column: &Column, row: usize) -> Option<Vec<Label<'_>>> {
    let label = match column {
        Column::Text(cells) => cells.get(row).map(Label::Text),
        Column::Int(cells) => Some(Label::Number(Number::of(cells[row]))),
        Column::Float(cells) => Number::new(cells[row]).map(Label::Number),
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
        Value::Number(label) => {
            label.as_i64().map(Number::of).or_else(|| label.as_f64().and_then(Number::new)).map(Label::Number)
        }
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Rows with this label are skipped.
const NONE: Label<'_> = Label::Number(Number::of(-1));

/// Stands for a missing text, and is a class of its own, as the reference has it (protocol 6.5, step 3).
const NO_TEXT: Label<'_> = Label::Text("-1");

/// One level of the hierarchy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Level {
    /// The rows that have a label on this level.
    pub rows: Vec<u32>,
    /// Number of each row's label; 0 for rows without one.
    pub classes: Vec<u32>,
    /// Number of distinct labels.
    pub count: usize,
    /// These labels.
    pub names: Vec<String>,
}

/// The levels of the rows' label lists, from the coarsest on, `max_depth` at most.
pub(super) fn levels(lists: &[Vec<Label<'_>>], max_depth: usize) -> Vec<Level> {
    let depth = lists.iter().map(Vec::len).max().unwrap_or(0).min(max_depth);
    let are_texts = lists.iter().flatten().next().is_some_and(|label| matches!(label, Label::Text(_)));
    let missing = if are_texts { NO_TEXT } else { NONE };
    (0..depth).map(|level| one_level(lists, level, missing)).collect()
}

fn one_level(lists: &[Vec<Label<'_>>], level: usize, missing: Label<'_>) -> Level {
    let labels: Vec<Option<Label<'_>>> = lists
        .iter()
        .map(|list| Some(*list.get(level).unwrap_or(&missing)).filter(|label| *label != NONE))
        .collect();
    let distinct = distinct(labels.iter().copied().flatten());
    Level {
        rows: (0..).zip(&labels).filter(|(_, label)| label.is_some()).map(|(row, _)| row).collect(),
        classes: labels.iter().map(|label| label.map_or(0, |label| number(&distinct, label))).collect(),
        count: distinct.len(),
        names: distinct.iter().map(ToString::to_string).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_labels_in_their_order_with_and_without_a_fraction() {
        let numbers = [-2.5, -2.0, -0.1, -0.0, 0.5, 1.0, 2.25, 3.0];
        let labels: Vec<Label<'_>> =
            numbers.iter().map(|&number| Label::Number(Number::new(number).unwrap())).collect();
        assert!(labels.is_sorted(), "{labels:?}");
        let written: Vec<String> = labels.iter().map(ToString::to_string).collect();
        assert_eq!(written, ["-2.5", "-2", "-0.1", "0", "0.5", "1", "2.25", "3"]);
        assert_eq!(Number::new(7.0), Some(Number::of(7)));
        assert_eq!([f64::NAN, f64::INFINITY, 1e16].map(Number::new), [None; 3]);
    }

    #[test]
    fn rows_without_a_number_are_left_out() {
        let lists = [
            vec![Label::Number(Number::of(7)), Label::Number(Number::of(2))],
            vec![Label::Number(Number::of(3))],
            vec![],
            vec![Label::Number(Number::of(7)), Label::Number(Number::of(-1))],
        ];
        let [top, bottom] = &levels(&lists, 5)[..] else { panic!("two levels") };
        assert_eq!((&top.rows[..], &top.classes[..], top.count), (&[0, 1, 3][..], &[1, 0, 0, 1][..], 2));
        assert_eq!((&bottom.rows[..], bottom.count), (&[0][..], 1));
    }

    #[test]
    fn rows_without_a_text_are_a_class() {
        let lists = [vec![Label::Text("a"), Label::Text("b")], vec![Label::Text("a")]];
        assert_eq!(levels(&lists, 1).len(), 1);
        let bottom = &levels(&lists, 2)[1];
        assert_eq!((&bottom.rows[..], &bottom.classes[..], bottom.count), (&[0, 1][..], &[1, 0][..], 2));
    }
}

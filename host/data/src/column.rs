//! The cells of one column.

use std::ops::Range;

use serde_json::Value;

use crate::Texts;

/// The cells of one column, row by row.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Strings, none missing.
    Text(Texts),
    /// Whole numbers, none missing.
    Int(Vec<i64>),
    /// Floating-point numbers, none missing.
    Float(Vec<f64>),
    /// Anything else: booleans, lists, objects, or a mixture with nulls.
    Any(Vec<Value>),
}

impl Column {
    /// Number of cells.
    pub fn len(&self) -> usize {
        match self {
            Self::Text(cells) => cells.len(),
            Self::Int(cells) => cells.len(),
            Self::Float(cells) => cells.len(),
            Self::Any(cells) => cells.len(),
        }
    }

    /// True if the column has no cell.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cell at `row` as a JSON value; a number that is not finite is null there.
    pub fn value(&self, row: usize) -> Value {
        match self {
            Self::Text(cells) => Value::from(&cells[row]),
            Self::Int(cells) => Value::from(cells[row]),
            Self::Float(cells) => Value::from(cells[row]),
            Self::Any(cells) => cells[row].clone(),
        }
    }

    /// The cells at `rows`, in that order.
    pub fn select(&self, rows: &[usize]) -> Self {
        match self {
            Self::Text(cells) => Self::Text(cells.select(rows)),
            Self::Int(cells) => Self::Int(rows.iter().map(|&row| cells[row]).collect()),
            Self::Float(cells) => Self::Float(rows.iter().map(|&row| cells[row]).collect()),
            Self::Any(cells) => Self::Any(rows.iter().map(|&row| cells[row].clone()).collect()),
        }
    }

    /// The cells of consecutive `rows`.
    pub(crate) fn slice(&self, rows: Range<usize>) -> Self {
        match self {
            Self::Text(cells) => Self::Text(cells.range(rows).collect()),
            Self::Int(cells) => Self::Int(cells[rows].to_vec()),
            Self::Float(cells) => Self::Float(cells[rows].to_vec()),
            Self::Any(cells) => Self::Any(cells[rows].to_vec()),
        }
    }

    /// Adds the cells of `other` at the end. Whole and other numbers become floating-point numbers; otherwise columns
    /// of different types become one of any cells.
    pub(crate) fn append(&mut self, other: Self) {
        if other.is_empty() {
            return;
        }
        if self.is_empty() {
            *self = other;
            return;
        }
        match (&mut *self, other) {
            (Self::Text(own), Self::Text(cells)) => own.append(&cells),
            (Self::Int(own), Self::Int(cells)) => own.extend(cells),
            (Self::Float(own), Self::Float(cells)) => own.extend(cells),
            (Self::Float(own), Self::Int(cells)) => own.extend(cells.into_iter().map(|cell| cell as f64)),
            (Self::Int(own), Self::Float(cells)) => {
                *self = Self::Float(own.iter().map(|&cell| cell as f64).chain(cells).collect());
            }
            (Self::Any(own), Self::Any(cells)) => own.extend(cells),
            (_, other) => {
                let mut cells = std::mem::replace(self, Self::Any(Vec::new())).into_values();
                cells.extend(other.into_values());
                *self = Self::Any(cells);
            }
        }
    }

    fn into_values(self) -> Vec<Value> {
        match self {
            Self::Any(cells) => cells,
            typed => (0..typed.len()).map(|row| typed.value(row)).collect(),
        }
    }
}

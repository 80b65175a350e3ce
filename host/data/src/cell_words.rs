//! What is said of cells that are not what their column must hold.

use serde_json::Value;

use crate::input::is_untyped;
use crate::{CellFault, DataError, Table};

impl Table {
    /// The fault that the cell of `column` at `row` (starting at 0) is not `expected`.
    pub fn fault(&self, column: &str, row: usize, expected: &str, found: &Value) -> DataError {
        let is_empty_cell = found.is_null() && is_untyped(self.place(row).0);
        let said = if is_empty_cell { "an empty cell".to_owned() } else { describe(found) };
        self.fault_saying(column, row, expected, said)
    }

    /// The same fault, with words for what was `found`.
    pub fn fault_saying(&self, column: &str, row: usize, expected: &str, found: String) -> DataError {
        DataError::Cell(Box::new(CellFault {
            at: self.at(row),
            column: column.to_owned(),
            expected: expected.to_owned(),
            found,
            advice: String::new(),
            others: Vec::new(),
        }))
    }

    /// The fault that the cell of `column` at `row` is NaN or infinite, which JSON has no word for.
    pub(crate) fn not_finite(&self, column: &str, row: usize, found: f64) -> DataError {
        self.fault_saying(column, row, "a finite number", found.to_string())
    }

    /// The fault that a text is no number.
    pub(crate) fn no_number(&self, column: &str, row: usize, expected: &str, text: &str) -> DataError {
        let is_empty_cell = text.is_empty() && is_untyped(self.place(row).0);
        let found = if is_empty_cell { Value::Null } else { Value::from(text) };
        self.fault_advising(column, row, expected, &found, of_comma(text).unwrap_or_default())
    }

    /// A fault that says what to do.
    pub(crate) fn fault_advising(
        &self,
        column: &str,
        row: usize,
        expected: &str,
        found: &Value,
        advice: String,
    ) -> DataError {
        match self.fault(column, row, expected, found) {
            DataError::Cell(fault) => DataError::Cell(Box::new(CellFault { advice, ..*fault })),
            other => other,
        }
    }
}

/// `NaN`, `inf` and `1e400` are words here: no number stands for them.
pub(crate) fn is_no_number(text: &str) -> bool {
    !text.trim().parse::<f64>().is_ok_and(f64::is_finite)
}

/// A short form of `value` for messages.
pub(crate) fn describe(value: &Value) -> String {
    let kind = match value {
        Value::Null => return "null".to_owned(),
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    let text = value.to_string();
    let short: String = text.chars().take(60).collect();
    let dots = if short.len() < text.len() { "…" } else { "" };
    format!("{kind}: {short}{dots}")
}

/// What to do about a number that is written with a comma before its decimals.
fn of_comma(text: &str) -> Option<String> {
    let number = text.trim().replacen(',', ".", 1);
    let is_number = text.contains(',') && !is_no_number(&number);
    is_number.then(|| {
        format!("write a point instead of the comma: {number}, or name the comma in the card of a CSV file: `decimal = \",\"` in `[dataset]`")
    })
}

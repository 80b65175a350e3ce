//! JSON lines, and JSON files that hold one list of objects.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::builder::ColumnBuilder;
use crate::{DataError, Table};

/// Reads rows of JSON lines that are in memory; `place` names them in messages.
///
/// # Errors
/// If a line is no JSON object; the message has its number.
pub fn read_json_lines(place: &str, bytes: &[u8]) -> Result<Table, DataError> {
    let text = utf8(place, bytes)?;
    let mut rows = Rows::default();
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            if text.lines().skip(number).all(|rest| rest.trim().is_empty()) {
                break;
            }
            let message = "expected a JSON object, found an empty line".to_owned();
            return Err(DataError::Malformed { place: format!("{place}, row {}", number + 1), message });
        }
        let value = serde_json::from_str(line).map_err(|error| DataError::Malformed {
            place: format!("{place}, row {}", number + 1),
            message: format!("expected a JSON object, found broken JSON: {error}"),
        })?;
        rows.push(value, || format!("{place}, row {}", number + 1))?;
    }
    rows.finish(place)
}

/// Reads a file that holds one list of objects.
pub fn read_json_list(place: &str, bytes: &[u8]) -> Result<Table, DataError> {
    let text = utf8(place, bytes)?;
    let malformed = |message: String| DataError::Malformed { place: place.to_owned(), message };
    let value: Value = serde_json::from_str(text)
        .map_err(|error| malformed(format!("expected a list of JSON objects, found broken JSON: {error}")))?;
    let Value::Array(cells) = value else {
        return Err(malformed("expected a list of JSON objects, found another value".to_owned()));
    };
    let mut rows = Rows::default();
    for (number, value) in cells.into_iter().enumerate() {
        rows.push(value, || format!("{place}, row {}", number + 1))?;
    }
    rows.finish(place)
}

/// Columns by key, in the order in which keys first appear.
#[derive(Default)]
struct Rows {
    names: HashMap<String, usize>,
    columns: Vec<(String, ColumnBuilder)>,
    count: usize,
}

impl Rows {
    fn push(&mut self, value: Value, place: impl Fn() -> String) -> Result<(), DataError> {
        let Value::Object(object) = value else {
            let message = "expected a JSON object, found another value".to_owned();
            return Err(DataError::Malformed { place: place(), message });
        };
        self.push_object(object);
        Ok(())
    }

    fn push_object(&mut self, object: Map<String, Value>) {
        for (key, value) in object {
            let index = match self.names.get(&key) {
                Some(&index) => index,
                None => {
                    self.names.insert(key.clone(), self.columns.len());
                    self.columns.push((key, ColumnBuilder::new(self.count)));
                    self.columns.len() - 1
                }
            };
            self.columns[index].1.push(value);
        }
        self.count += 1;
        for (_, column) in &mut self.columns {
            if column.len() < self.count {
                column.push(Value::Null);
            }
        }
    }

    fn finish(self, place: &str) -> Result<Table, DataError> {
        let columns = self.columns.into_iter().map(|(name, column)| (name, column.finish()));
        Table::new(place, columns.collect())
    }
}

/// The text without a byte-order mark.
fn utf8<'a>(place: &str, bytes: &'a [u8]) -> Result<&'a str, DataError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let row = bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() + 1;
        DataError::Malformed {
            place: format!("{place}, row {row}"),
            message: "expected UTF-8 text, found other bytes".to_owned(),
        }
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

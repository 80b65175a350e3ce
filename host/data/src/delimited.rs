//! CSV and TSV files with a header line.

use serde_json::Value;

use crate::builder::ColumnBuilder;
use crate::{Column, DataError, Table, Texts};

/// Reads a file whose cells are separated by `delimiter`.
///
/// A column whose cells are all whole numbers, or all numbers, holds numbers; every other column holds texts.
pub fn read_delimited(place: &str, bytes: &[u8], delimiter: u8) -> Result<Table, DataError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(bytes);
    let names: Vec<String> =
        reader.headers().map_err(|error| fault(place, &error))?.iter().map(str::to_owned).collect();
    let mut columns: Vec<Texts> = names.iter().map(|_| Texts::new()).collect();
    for record in reader.records() {
        let record = record.map_err(|error| fault(place, &error))?;
        for (column, cell) in columns.iter_mut().zip(record.iter()) {
            column.push(cell);
        }
    }
    Table::new(place, names.into_iter().zip(columns.into_iter().map(typed)).collect())
}

fn typed(cells: Texts) -> Column {
    if cells.is_empty() {
        return Column::Text(cells);
    }
    if let Some(whole) = cells.iter().map(|cell| cell.parse().ok()).collect::<Option<Vec<i64>>>() {
        return Column::Int(whole);
    }
    if let Some(numbers) = cells.iter().map(number).collect::<Option<Vec<f64>>>() {
        let mut builder = ColumnBuilder::new(0);
        numbers.into_iter().for_each(|number| builder.push(Value::from(number)));
        return builder.finish();
    }
    Column::Text(cells)
}

/// Rust reads `inf` and `nan` as numbers, which in a file are words.
fn number(cell: &str) -> Option<f64> {
    cell.parse().ok().filter(|number: &f64| number.is_finite())
}

fn fault(place: &str, error: &csv::Error) -> DataError {
    let row = error.position().map_or(String::new(), |position| format!(", line {}", position.line()));
    let message = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("expected {expected_len} cells as in the header, found {len}")
        }
        csv::ErrorKind::Utf8 { .. } => "expected UTF-8 text, found other bytes".to_owned(),
        _ => error.to_string(),
    };
    DataError::Malformed { place: format!("{place}{row}"), message }
}

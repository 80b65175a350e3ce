//! Builds a column cell by cell and keeps the narrowest type that holds them all.

use serde_json::Value;

use crate::{Column, Texts};

/// A column that grows.
#[derive(Debug)]
pub struct ColumnBuilder {
    column: Column,
}

impl ColumnBuilder {
    /// A column that starts with `missing` nulls, for a key that first appears in a later row.
    pub fn new(missing: usize) -> Self {
        Self { column: Column::Any(vec![Value::Null; missing]) }
    }

    /// Adds a cell; a cell of another type than the ones before turns the column into one of any cells.
    pub fn push(&mut self, value: Value) {
        if self.column.is_empty() {
            self.column = empty_like(&value);
        }
        match (&mut self.column, value) {
            (Column::Text(cells), Value::String(text)) => cells.push(&text),
            (Column::Int(cells), Value::Number(number)) if number.is_i64() => {
                cells.push(number.as_i64().unwrap_or_default());
            }
            (Column::Float(cells), Value::Number(number)) => {
                cells.push(number.as_f64().unwrap_or(f64::NAN));
            }
            (Column::Int(cells), Value::Number(number)) if number.is_f64() => {
                let mut floats: Vec<f64> = cells.iter().map(|&cell| cell as f64).collect();
                floats.push(number.as_f64().unwrap_or(f64::NAN));
                self.column = Column::Float(floats);
            }
            (Column::Any(cells), value) => cells.push(value),
            (other, value) => {
                let mut cells: Vec<Value> = (0..other.len()).map(|row| other.value(row)).collect();
                cells.push(value);
                self.column = Column::Any(cells);
            }
        }
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.column.len()
    }

    /// The finished column.
    pub fn finish(self) -> Column {
        self.column
    }
}

fn empty_like(value: &Value) -> Column {
    match value {
        Value::String(_) => Column::Text(Texts::new()),
        Value::Number(number) if number.is_i64() => Column::Int(Vec::new()),
        Value::Number(number) if number.is_f64() => Column::Float(Vec::new()),
        _ => Column::Any(Vec::new()),
    }
}

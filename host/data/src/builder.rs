//! Builds a column cell by cell and keeps the narrowest type that holds them all; cells that are
//! written without a type, as in CSV, too.

use serde_json::Value;

use crate::{Column, Texts};

/// A column that grows; a cell of another type than the ones before turns it into one of any cells, except that
/// whole numbers beside floating-point numbers are widened.
#[derive(Debug)]
pub struct ColumnBuilder {
    column: Column,
}

impl ColumnBuilder {
    /// A column that starts with `missing` nulls, for a key that first appears in a later row.
    pub fn new(missing: usize) -> Self {
        Self { column: Column::Any(vec![Value::Null; missing]) }
    }

    /// Adds a cell of any kind.
    pub fn push(&mut self, value: Value) {
        match value {
            Value::String(text) => self.push_text(&text),
            Value::Number(number) => match (number.as_i64(), number.as_u64()) {
                (Some(number), _) => self.push_int(number),
                (None, Some(number)) => self.push_unsigned(number),
                (None, None) => self.push_float(number.as_f64().unwrap_or(f64::NAN)),
            },
            other => self.push_any(other),
        }
    }

    /// Adds a string.
    pub fn push_text(&mut self, text: &str) {
        if self.column.is_empty() {
            self.column = Column::Text(Texts::new());
        }
        match &mut self.column {
            Column::Text(cells) => cells.push(text),
            _ => self.push_any(Value::from(text)),
        }
    }

    /// Adds a whole number.
    pub fn push_int(&mut self, number: i64) {
        if self.column.is_empty() {
            self.column = Column::Int(Vec::new());
        }
        match &mut self.column {
            Column::Int(cells) => cells.push(number),
            Column::Float(cells) => cells.push(number as f64),
            _ => self.push_any(Value::from(number)),
        }
    }

    /// Adds a whole number without a sign.
    pub fn push_unsigned(&mut self, number: u64) {
        match i64::try_from(number) {
            Ok(number) => self.push_int(number),
            Err(_) => self.push_any(Value::from(number)),
        }
    }

    /// Adds a floating-point number.
    pub fn push_float(&mut self, number: f64) {
        if self.column.is_empty() {
            self.column = Column::Float(Vec::new());
        }
        match &mut self.column {
            Column::Float(cells) => cells.push(number),
            Column::Int(cells) => {
                let mut floats: Vec<f64> = cells.iter().map(|&cell| cell as f64).collect();
                floats.push(number);
                self.column = Column::Float(floats);
            }
            _ => self.push_any(Value::from(number)),
        }
    }

    /// Adds a cell that is no string and no number: null, a boolean, a list or an object.
    pub fn push_any(&mut self, value: Value) {
        if let Column::Any(cells) = &mut self.column {
            cells.push(value);
            return;
        }
        let mut cells: Vec<Value> = (0..self.column.len()).map(|row| self.column.value(row)).collect();
        cells.push(value);
        self.column = Column::Any(cells);
    }

    /// Adds all cells of a part that was read at once.
    pub fn append(&mut self, part: Column) {
        self.column.append(part);
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

/// A column of what all `cells` can be read as, where empty ones are null; decimals may stand behind a comma.
pub(crate) fn parse_cells(cells: Texts, has_decimal_comma: bool) -> Column {
    let number = if has_decimal_comma { number_with_comma } else { number };
    let parsers: [fn(&str) -> Option<Value>; 3] = [whole, number, boolean];
    for parse in parsers {
        let Some(first) = cells.iter().find(|cell| !cell.is_empty()) else { break };
        if parse(first).is_none() {
            continue;
        }
        let mut column = ColumnBuilder::new(0);
        let all = cells.iter().all(|cell| {
            let value = if cell.is_empty() { Some(Value::Null) } else { parse(cell) };
            value.map(|value| column.push(value)).is_some()
        });
        if all {
            return column.finish();
        }
    }
    Column::Text(cells)
}

/// A whole number; one with a leading zero or plus is an identifier and stays as it is.
fn whole(cell: &str) -> Option<Value> {
    let digits = cell.strip_prefix('-').unwrap_or(cell);
    let plain = digits == "0" || !(digits.starts_with('0') || cell.starts_with('+'));
    cell.parse::<i64>().ok().filter(|_| plain).map(Value::from)
}

/// Rust reads `inf` and `nan` as numbers, which in a file are words; a whole number is left to [`whole`] unless it
/// stands beside others.
fn number(cell: &str) -> Option<Value> {
    let digits = cell.trim_start_matches('-');
    let zeros =
        digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
    cell.trim().parse().ok().filter(|number: &f64| number.is_finite() && !zeros).map(Value::from)
}

/// A number whose decimals stand behind a comma; one with a point is none.
fn number_with_comma(cell: &str) -> Option<Value> {
    (!cell.contains('.')).then(|| number(&cell.replacen(',', ".", 1))).flatten()
}

fn boolean(cell: &str) -> Option<Value> {
    match cell {
        "true" | "True" | "TRUE" => Some(Value::Bool(true)),
        "false" | "False" | "FALSE" => Some(Value::Bool(false)),
        _ => None,
    }
}

//! A table of named columns whose rows remember their file and row number.

use std::borrow::Cow;

use serde_json::Value;

use crate::{DataError, Texts};

/// The cells of one column, row by row.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Strings, none missing.
    Text(Texts),
    /// Whole numbers, none missing.
    Int(Vec<i64>),
    /// Floating-point numbers, none missing.
    Float(Vec<f64>),
    /// Anything else: lists, objects, or a mixture with nulls.
    Any(Vec<Value>),
}

/// Rows of named columns, all of the same length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    columns: Vec<(String, Column)>,
    rows: usize,
    /// `(first row, file, row number of that first row in the file)`, ascending by first row.
    sources: Vec<(usize, String, usize)>,
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

    /// The cells at `rows`, in that order.
    pub fn select(&self, rows: &[usize]) -> Self {
        match self {
            Self::Text(cells) => Self::Text(cells.select(rows)),
            Self::Int(cells) => Self::Int(rows.iter().map(|&row| cells[row]).collect()),
            Self::Float(cells) => Self::Float(rows.iter().map(|&row| cells[row]).collect()),
            Self::Any(cells) => Self::Any(rows.iter().map(|&row| cells[row].clone()).collect()),
        }
    }

    /// Adds the cells of `other` at the end; columns of different types become one of any cells.
    fn append(&mut self, other: Self) {
        match (&mut *self, other) {
            (Self::Text(own), Self::Text(cells)) => cells.iter().for_each(|cell| own.push(cell)),
            (Self::Int(own), Self::Int(cells)) => own.extend(cells),
            (Self::Float(own), Self::Float(cells)) => own.extend(cells),
            (Self::Any(own), Self::Any(cells)) => own.extend(cells),
            (_, other) => {
                let own = (0..self.len()).map(|row| self.value(row));
                let cells = (0..other.len()).map(|row| other.value(row));
                *self = Self::Any(own.chain(cells).collect());
            }
        }
    }

    /// The cell at `row` as a JSON value.
    pub fn value(&self, row: usize) -> Value {
        match self {
            Self::Text(cells) => Value::from(&cells[row]),
            Self::Int(cells) => Value::from(cells[row]),
            Self::Float(cells) => Value::from(cells[row]),
            Self::Any(cells) => cells[row].clone(),
        }
    }
}

impl Table {
    /// A table of `columns` read from `file`, whose first row is row 1 there.
    ///
    /// # Errors
    /// If the columns differ in length.
    pub fn new(file: impl Into<String>, columns: Vec<(String, Column)>) -> Result<Self, DataError> {
        let file = file.into();
        let rows = columns.first().map_or(0, |(_, cells)| cells.len());
        if let Some((name, cells)) = columns.iter().find(|(_, cells)| cells.len() != rows) {
            let message = format!("expected {rows} cells in column `{name}`, found {}", cells.len());
            return Err(DataError::Malformed { place: file, message });
        }
        Ok(Self { columns, rows, sources: vec![(0, file, 1)] })
    }

    /// The rows of all `tables` in order.
    ///
    /// # Errors
    /// If there is no table, or the tables differ in their column names.
    pub fn concat(tables: Vec<Self>) -> Result<Self, DataError> {
        let mut tables = tables.into_iter();
        let Some(mut all) = tables.next() else {
            let message = "expected at least one file, found none".to_owned();
            return Err(DataError::Malformed { place: "a split".to_owned(), message });
        };
        for table in tables {
            let same =
                all.columns.len() == table.columns.len() && all.names().all(|name| table.get(name).is_some());
            if !same {
                let names = all.names().collect::<Vec<_>>().join(", ");
                let message = format!("expected the columns {names} as in the files before it, found others");
                return Err(DataError::Malformed { place: table.place(0).0.to_owned(), message });
            }
            all.append(table);
        }
        Ok(all)
    }

    /// The rows at `rows`, in that order.
    pub fn select(&self, rows: &[usize]) -> Self {
        let columns = self.columns.iter().map(|(name, cells)| (name.clone(), cells.select(rows)));
        let sources = rows.iter().enumerate().map(|(new, &old)| {
            let (file, number) = self.place(old);
            (new, file.to_owned(), number)
        });
        Self { columns: columns.collect(), rows: rows.len(), sources: sources.collect() }
    }

    /// The same rows with columns called otherwise: `names` are pairs of new name and old name. A column that has
    /// the new name already is replaced.
    ///
    /// # Errors
    /// If there is no column with an old name.
    pub fn rename<'a>(
        mut self,
        names: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, DataError> {
        for (new, old) in names {
            self.column(old)?;
            if new != old {
                self.columns.retain(|(name, _)| name != new);
            }
            for (name, _) in self.columns.iter_mut().filter(|(name, _)| name == old) {
                new.clone_into(name);
            }
        }
        Ok(self)
    }

    /// The same rows with the cells of column `name` replaced.
    pub fn with_column(mut self, name: &str, column: Column) -> Self {
        debug_assert_eq!(column.len(), self.rows);
        match self.columns.iter_mut().find(|(found, _)| found == name) {
            Some((_, cells)) => *cells = column,
            None => self.columns.push((name.to_owned(), column)),
        }
        self
    }

    fn append(&mut self, other: Self) {
        let first = self.rows;
        for (name, cells) in other.columns {
            if let Some((_, own)) = self.columns.iter_mut().find(|(found, _)| *found == name) {
                own.append(cells);
            }
        }
        self.rows += other.rows;
        self.sources.extend(other.sources.into_iter().map(|(row, file, number)| (row + first, file, number)));
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Column names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    /// The column called `name`, if there is one.
    pub fn get(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|(found, _)| found == name).map(|(_, cells)| cells)
    }

    /// The column called `name`.
    ///
    /// # Errors
    /// [`DataError::MissingColumn`] if there is none.
    pub fn column(&self, name: &str) -> Result<&Column, DataError> {
        self.get(name).ok_or_else(|| DataError::MissingColumn {
            file: self.place(0).0.to_owned(),
            column: name.to_owned(),
            present: self.names().collect::<Vec<_>>().join(", "),
        })
    }

    /// The strings of column `name`.
    ///
    /// # Errors
    /// If the column is absent or a cell is no string.
    pub fn texts(&self, name: &str) -> Result<Cow<'_, Texts>, DataError> {
        match self.column(name)? {
            Column::Text(cells) => Ok(Cow::Borrowed(cells)),
            other => {
                let mut texts = Texts::new();
                for row in 0..self.rows {
                    match other.value(row) {
                        Value::String(text) => texts.push(&text),
                        found => return Err(self.fault(name, row, "a string", &found)),
                    }
                }
                Ok(Cow::Owned(texts))
            }
        }
    }

    /// The numbers of column `name`, whole numbers widened.
    ///
    /// # Errors
    /// If the column is absent or a cell is no number.
    pub fn floats(&self, name: &str) -> Result<Vec<f64>, DataError> {
        let column = self.column(name)?;
        match column {
            Column::Float(cells) => Ok(cells.clone()),
            Column::Int(cells) => Ok(cells.iter().map(|&cell| cell as f64).collect()),
            _ => (0..self.rows)
                .map(|row| {
                    let value = column.value(row);
                    value.as_f64().ok_or_else(|| self.fault(name, row, "a number", &value))
                })
                .collect(),
        }
    }

    /// The whole numbers of column `name`.
    ///
    /// # Errors
    /// If the column is absent or a cell is no whole number.
    pub fn ints(&self, name: &str) -> Result<Vec<i64>, DataError> {
        let column = self.column(name)?;
        match column {
            Column::Int(cells) => Ok(cells.clone()),
            _ => (0..self.rows)
                .map(|row| {
                    let value = column.value(row);
                    whole(&value).ok_or_else(|| self.fault(name, row, "a whole number", &value))
                })
                .collect(),
        }
    }

    /// The cells of column `name` as lists.
    ///
    /// # Errors
    /// If the column is absent or a cell is no list.
    pub fn lists(&self, name: &str) -> Result<Vec<Vec<Value>>, DataError> {
        let column = self.column(name)?;
        (0..self.rows)
            .map(|row| match column.value(row) {
                Value::Array(cells) => Ok(cells),
                found => Err(self.fault(name, row, "a list", &found)),
            })
            .collect()
    }

    /// The fault that the cell of `column` at `row` (starting at 0) is not `expected`.
    pub fn fault(&self, column: &str, row: usize, expected: &str, found: &Value) -> DataError {
        let (file, row) = self.place(row);
        DataError::Cell {
            file: file.to_owned(),
            row,
            column: column.to_owned(),
            expected: expected.to_owned(),
            found: describe(found),
        }
    }

    /// File and row number (starting at 1) that `row` (starting at 0) was read from.
    pub fn place(&self, row: usize) -> (&str, usize) {
        let index = self.sources.partition_point(|(first, _, _)| *first <= row);
        match index.checked_sub(1).and_then(|index| self.sources.get(index)) {
            Some((first, file, number)) => (file, number + row - first),
            None => ("an empty table", 1),
        }
    }
}

/// `1.0` counts as the whole number 1, as JSON writers do not agree on the form.
fn whole(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| {
        value.as_f64().filter(|float| float.fract() == 0.0 && float.abs() < 9e15).map(|float| float as i64)
    })
}

/// A short form of `value` for messages.
fn describe(value: &Value) -> String {
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

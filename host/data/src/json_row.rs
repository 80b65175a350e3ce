//! Parses JSON objects straight into columns, and refuses what would silently lose data.

use std::cell::Cell;
use std::collections::HashMap;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};

use crate::builder::ColumnBuilder;
use crate::json_value::{CellSeed, name_twice};
use crate::place::Places;
use crate::reader::Wanted;
use crate::{DataError, Table};

/// Columns by key, in the order in which keys first appear.
pub struct JsonColumns {
    wanted: Wanted,
    index: HashMap<String, usize>,
    columns: Vec<KeyColumn>,
    /// Rows that are complete.
    rows: usize,
    /// True once a number was read that may have been a whole number beyond 64 bits.
    pub large_number: Cell<bool>,
}

struct KeyColumn {
    name: String,
    /// Number of rows up to and including the last one that had the key.
    seen: usize,
    /// Absent if the column is not wanted.
    cells: Option<ColumnBuilder>,
}

impl JsonColumns {
    /// No rows yet; of their columns only the `wanted` will be kept.
    pub fn new(wanted: Wanted) -> Self {
        Self { wanted, index: HashMap::new(), columns: Vec::new(), rows: 0, large_number: Cell::new(false) }
    }

    /// Number of complete rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The table of all rows; a key that a row does not have is null there.
    ///
    /// # Errors
    /// Never for rows that came from [`RowSeed`].
    pub fn finish(self, places: Places) -> Result<Table, DataError> {
        let (mut columns, mut left_out) = (Vec::new(), Vec::new());
        for column in self.columns {
            match column.cells {
                Some(cells) => columns.push((column.name, cells.finish())),
                None => left_out.push((column.name, None)),
            }
        }
        Ok(Table { left_out, ..Table::with_places(columns, self.rows, places)? })
    }

    /// The column of `key`, which in most rows comes right after the one of the key before.
    fn find(&mut self, key: &str, guess: usize) -> usize {
        if self.columns.get(guess).is_some_and(|column| column.name == key) {
            return guess;
        }
        if let Some(&found) = self.index.get(key) {
            return found;
        }
        let cells = self.wanted.has(key).then(|| ColumnBuilder::new(self.rows));
        self.columns.push(KeyColumn { name: key.to_owned(), seen: 0, cells });
        self.index.insert(key.to_owned(), self.columns.len() - 1);
        self.columns.len() - 1
    }

    fn end_row(&mut self, keys: usize) {
        self.rows += 1;
        if keys < self.columns.len() {
            for column in self.columns.iter_mut().filter(|column| column.seen < self.rows) {
                if let Some(cells) = &mut column.cells {
                    cells.push_any(serde_json::Value::Null);
                }
            }
        }
    }
}

/// Reads one object as the next row.
pub struct RowSeed<'a>(pub &'a mut JsonColumns);

impl<'de> DeserializeSeed<'de> for RowSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<(), D::Error> {
        input.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for RowSeed<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self(columns) = self;
        let (mut guess, mut keys) = (0, 0);
        while let Some(found) = map.next_key_seed(KeySeed { columns: &mut *columns, guess })? {
            let column = &mut columns.columns[found];
            if column.seen > columns.rows {
                return Err(name_twice(&column.name));
            }
            column.seen = columns.rows + 1;
            map.next_value_seed(CellSeed {
                cells: column.cells.as_mut(),
                large_number: &columns.large_number,
            })?;
            (guess, keys) = (found + 1, keys + 1);
        }
        columns.end_row(keys);
        Ok(())
    }
}

/// Reads a key as the index of its column.
struct KeySeed<'a> {
    columns: &'a mut JsonColumns,
    guess: usize,
}

impl<'de> DeserializeSeed<'de> for KeySeed<'_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<usize, D::Error> {
        input.deserialize_str(self)
    }
}

impl Visitor<'_> for KeySeed<'_> {
    type Value = usize;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<usize, E> {
        Ok(self.columns.find(key, self.guess))
    }
}

//! Parses JSON objects straight into columns, and refuses what would silently lose data.

use std::cell::Cell;
use std::collections::HashMap;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};

use crate::builder::ColumnBuilder;
use crate::json_value::{CellSeed, name_twice};
use crate::place::Places;
use crate::read_rows::{ABSENT, COLUMNS, Wanted, too_many_absent, too_many_columns};
use crate::{DataError, Table};

/// Columns by key, in the order in which keys first appear.
pub struct JsonColumns {
    wanted: Wanted,
    index: HashMap<String, usize>,
    columns: Vec<KeyColumn>,
    /// Rows that are complete.
    rows: usize,
    /// Cells that rows do not have, and bytes that the rows are written in.
    absent: usize,
    bytes: usize,
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
        Self {
            wanted,
            index: HashMap::new(),
            columns: Vec::new(),
            rows: 0,
            absent: 0,
            bytes: 0,
            large_number: Cell::new(false),
        }
    }

    /// More `bytes` of rows are about to be read.
    pub fn expect(&mut self, bytes: usize) {
        self.bytes += bytes;
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
    fn find<E: Error>(&mut self, key: &str, guess: usize) -> Result<usize, E> {
        if self.columns.get(guess).is_some_and(|column| column.name == key) {
            return Ok(guess);
        }
        if let Some(&found) = self.index.get(key) {
            return Ok(found);
        }
        if self.columns.len() == COLUMNS {
            return Err(E::custom(too_many_columns()));
        }
        self.lack(self.rows)?;
        let cells = self.wanted.has(key).then(|| ColumnBuilder::new(self.rows));
        self.columns.push(KeyColumn { name: key.to_owned(), seen: 0, cells });
        self.index.insert(key.to_owned(), self.columns.len() - 1);
        Ok(self.columns.len() - 1)
    }

    /// Counts `cells` that are not there; those of columns that are not wanted cost time.
    fn lack<E: Error>(&mut self, cells: usize) -> Result<(), E> {
        self.absent = self.absent.saturating_add(cells);
        if self.absent > ABSENT.saturating_add(self.bytes) {
            return Err(E::custom(too_many_absent(self.absent, self.bytes)));
        }
        Ok(())
    }

    fn end_row<E: Error>(&mut self, keys: usize) -> Result<(), E> {
        self.rows += 1;
        if keys < self.columns.len() {
            self.lack(self.columns.len() - keys)?;
            for column in self.columns.iter_mut().filter(|column| column.seen < self.rows) {
                if let Some(cells) = &mut column.cells {
                    cells.push_any(serde_json::Value::Null);
                }
            }
        }
        Ok(())
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
        columns.end_row(keys)
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

    fn visit_str<E: Error>(self, key: &str) -> Result<usize, E> {
        self.columns.find(key, self.guess)
    }
}

//! Per-item results of a unit as a table, one row per item, and what can be wrong with it or with
//! its file, whose footer has its facts and a hash of the cells, because pages of Parquet have no
//! checksum of their own.

use mteb_data::Texts;
use parquet::errors::ParquetError;

/// Columns of one length, in the order in which a file has them; what the columns of a type of task are is said where they
/// are made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Items {
    /// Names and cells.
    pub columns: Vec<(String, ItemColumn)>,
}

/// The cells of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemColumn {
    /// Texts, such as ids and labels.
    Text(Texts),
    /// Whole numbers, such as places and clusters.
    Int(Vec<i64>),
    /// Numbers; NaN where there is none.
    Float(Vec<f64>),
    /// Lists of texts, such as labels.
    Lists(Vec<Vec<String>>),
}

impl Items {
    /// Adds a column behind the others.
    pub fn push(&mut self, name: impl Into<String>, cells: ItemColumn) {
        debug_assert!(self.columns.is_empty() || self.rows() == cells.len());
        self.columns.push((name.into(), cells));
    }

    /// Number of items.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |(_, cells)| cells.len())
    }

    /// The column called `name`.
    pub fn get(&self, name: &str) -> Option<&ItemColumn> {
        self.columns.iter().find(|(found, _)| found == name).map(|(_, cells)| cells)
    }

    /// The texts called `name`.
    ///
    /// # Errors
    /// If there is no such column of texts.
    pub fn texts(&self, name: &str) -> Result<&Texts, OutcomesError> {
        match self.get(name) {
            Some(ItemColumn::Text(cells)) => Ok(cells),
            _ => Err(self.lacks(name, "texts")),
        }
    }

    /// The whole numbers called `name`.
    ///
    /// # Errors
    /// If there is no such column of whole numbers.
    pub fn ints(&self, name: &str) -> Result<&[i64], OutcomesError> {
        match self.get(name) {
            Some(ItemColumn::Int(cells)) => Ok(cells),
            _ => Err(self.lacks(name, "whole numbers")),
        }
    }

    /// The numbers called `name`.
    ///
    /// # Errors
    /// If there is no such column of numbers.
    pub fn floats(&self, name: &str) -> Result<&[f64], OutcomesError> {
        match self.get(name) {
            Some(ItemColumn::Float(cells)) => Ok(cells),
            _ => Err(self.lacks(name, "numbers")),
        }
    }

    /// The lists called `name`.
    ///
    /// # Errors
    /// If there is no such column of lists.
    pub fn lists(&self, name: &str) -> Result<&[Vec<String>], OutcomesError> {
        match self.get(name) {
            Some(ItemColumn::Lists(cells)) => Ok(cells),
            _ => Err(self.lacks(name, "lists of texts")),
        }
    }

    /// The columns whose names are `prefix` and a number that counts from 0, in its order.
    pub fn numbered<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = &'a ItemColumn> {
        (0usize..).map_while(move |number| self.get(&format!("{prefix}{number}")))
    }

    fn lacks(&self, column: &str, kind: &'static str) -> OutcomesError {
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| name.as_str()).take(12).collect();
        OutcomesError::NoColumn { column: column.to_owned(), kind, found: names.join(", ") }
    }
}

impl ItemColumn {
    /// Number of cells.
    pub fn len(&self) -> usize {
        match self {
            Self::Text(cells) => cells.len(),
            Self::Int(cells) => cells.len(),
            Self::Float(cells) => cells.len(),
            Self::Lists(cells) => cells.len(),
        }
    }

    /// True if there is no cell.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Outcomes that cannot be written, read or used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutcomesError {
    /// The file cannot be opened or read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The file is no Parquet file, or damaged.
    #[error("expected a Parquet file of outcomes, found it damaged or truncated: {0}")]
    Damaged(String),
    /// A table lacks a column.
    #[error("expected a column `{column}` of {kind}, found: {found}")]
    NoColumn {
        /// Its name.
        column: String,
        /// What its cells should be.
        kind: &'static str,
        /// The columns that there are.
        found: String,
    },
    /// The cells could not be packed.
    #[error("cannot be packed as Parquet: {0}")]
    Packing(ParquetError),
}

/// The BLAKE3 hash of all names and cells, as hexadecimal digits.
pub(super) fn checksum(items: &Items) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut add = |bytes: &[u8]| {
        hasher.update(bytes);
    };
    for (name, cells) in &items.columns {
        text(name, &mut add);
        add(&(cells.len() as u64).to_le_bytes());
        match cells {
            ItemColumn::Text(cells) => cells.iter().for_each(|cell| text(cell, &mut add)),
            ItemColumn::Int(cells) => cells.iter().for_each(|cell| add(&cell.to_le_bytes())),
            ItemColumn::Float(cells) => cells.iter().for_each(|cell| {
                // One of many bit patterns stands for no number.
                let cell = if cell.is_nan() { f64::NAN } else { *cell };
                add(&cell.to_bits().to_le_bytes());
            }),
            ItemColumn::Lists(cells) => {
                for list in cells {
                    add(&(list.len() as u64).to_le_bytes());
                    list.iter().for_each(|cell| text(cell, &mut add));
                }
            }
        }
    }
    hasher.finalize().to_hex().to_string()
}

fn text(text: &str, add: &mut impl FnMut(&[u8])) {
    add(&(text.len() as u64).to_le_bytes());
    add(text.as_bytes());
}

/// Under it stands what a file was made from, as JSON.
pub(super) const FACTS: &str = "mteb_host";

/// Under it stands the checksum of the cells.
pub(super) const CHECKSUM: &str = "mteb_host.checksum";

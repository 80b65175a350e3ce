//! Per-item results of a unit as a table, one row per item, and what can be wrong with it or with its file.

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

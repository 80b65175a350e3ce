//! What every reader of a format gives: rows of the columns that are wanted.

use std::sync::Arc;

use crate::{DataError, Table};

/// Rows that are read from beginning to end, at most so many at a time.
pub trait ReadRows: Send {
    /// The next rows, at most `limit`; a table without rows at the end.
    ///
    /// # Errors
    /// If the file is damaged.
    fn read_rows(&mut self, limit: usize) -> Result<Table, DataError>;
}

/// The columns to read; others are passed over as fast as the format allows, and cost no memory.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// Every column.
    All,
    /// The columns of these names.
    Named(Arc<[String]>),
    /// A part of a ranking task.
    Part {
        /// The columns of these names; absent for every column.
        columns: Option<Arc<[String]>>,
        /// Names of the columns that hold ids, beside the usual ones.
        ids: Arc<[String]>,
    },
}

/// Columns that hold ids whatever a card says.
const IDS: [&str; 4] = ["_id", "id", "query-id", "corpus-id"];

impl Wanted {
    /// True if the column `name` is to be read.
    pub fn has(&self, name: &str) -> bool {
        match self {
            Self::All | Self::Part { columns: None, .. } => true,
            Self::Named(names) | Self::Part { columns: Some(names), .. } => {
                names.iter().any(|wanted| wanted == name)
            }
        }
    }

    /// True if the column `name` holds ids, which a format without types of its own gives as they are written: `1.10` is
    /// another id than `1.1`.
    pub fn is_id(&self, name: &str) -> bool {
        let named = |ids: &[String]| ids.iter().any(|id| id == name);
        IDS.contains(&name) || matches!(self, Self::Part { ids, .. } if named(ids))
    }
}

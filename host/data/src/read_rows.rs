//! What every reader of a format gives: rows of the columns that are wanted, within what they may
//! cost beside their bytes.

use std::sync::Arc;

use crate::{DataError, Table, TextForm};

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
    /// The same of text files in another form than the usual one.
    Written {
        /// How they are written.
        form: Arc<TextForm>,
        /// What of them is read.
        wanted: Arc<Wanted>,
    },
}

/// True if a column called `name` holds ids whatever a card says.
pub fn is_usual_id(name: &str) -> bool {
    IDS.contains(&name)
}

const IDS: [&str; 4] = ["_id", "id", "query-id", "corpus-id"];

impl Wanted {
    /// The same of text files that are written in this `form`.
    #[must_use]
    pub fn written(self, form: Option<Arc<TextForm>>) -> Self {
        match form {
            Some(form) => Self::Written { form, wanted: Arc::new(self) },
            None => self,
        }
    }

    /// How text files are written, where not as usual.
    pub fn form(&self) -> Option<&TextForm> {
        match self {
            Self::Written { form, .. } => Some(form),
            _ => None,
        }
    }

    /// The columns of these names, or all, and the names of those that hold ids beside the usual
    /// ones.
    pub fn names(&self) -> (Option<&[String]>, &[String]) {
        match self {
            Self::All => (None, &[]),
            Self::Named(names) => (Some(names), &[]),
            Self::Part { columns, ids } => (columns.as_deref(), ids),
            Self::Written { wanted, .. } => wanted.names(),
        }
    }

    /// True if the column `name` is to be read.
    pub fn has(&self, name: &str) -> bool {
        self.names().0.is_none_or(|names| names.iter().any(|wanted| wanted == name))
    }

    /// True if the column `name` holds ids, which a format without types of its own gives as they
    /// are written: `1.10` is another id than `1.1`.
    pub fn is_id(&self, name: &str) -> bool {
        is_usual_id(name) || self.names().1.iter().any(|id| id == name)
    }
}

/// Most columns of a file.
pub const COLUMNS: usize = 10_000;

/// Cells that rows without a key may lack, beside one for each byte that was read.
pub const ABSENT: usize = 100_000;

/// What is said of more than [`COLUMNS`] columns.
pub fn too_many_columns() -> String {
    format!(
        "expected at most {COLUMNS} columns, found more; write rows of a column each, or lists in one column"
    )
}

/// What is said of `absent` cells that are not there in rows of `bytes` bytes.
pub fn too_many_absent(absent: usize, bytes: usize) -> String {
    format!(
        "expected rows with about the same keys, found {absent} missing ones in {bytes} bytes; leave out keys \
         that few rows have, or move them into an object of their own"
    )
}

//! The rows of a split, file after file, so that a corpus larger than memory can be read.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::open_rows::{OpenRows, Parsing};
use crate::read_rows::{ReadRows, Wanted};
use crate::{DataError, Table};

/// The files of a split as one sequence of rows.
///
/// Only the file that is being read is open; a file is opened when its first row is asked for. As
/// an iterator it gives tables of [`SplitRows::CHUNK`] rows.
pub struct SplitRows {
    files: std::vec::IntoIter<PathBuf>,
    wanted: Wanted,
    opener: Arc<dyn OpenRows>,
    current: Option<Current>,
}

struct Current {
    file: PathBuf,
    rows: Box<dyn ReadRows>,
    is_fresh: bool,
}

impl SplitRows {
    /// Rows of the tables that the iterator gives, the last one excepted.
    pub const CHUNK: usize = 50_000;

    /// The rows of `files` in order, with the `wanted` columns.
    pub fn new(files: Vec<PathBuf>, wanted: Wanted) -> Self {
        Self { files: files.into_iter(), wanted, opener: Arc::new(Parsing), current: None }
    }

    /// The same rows, from files that `opener` opens.
    #[must_use]
    pub fn with_opener(self, opener: Arc<dyn OpenRows>) -> Self {
        Self { opener, ..self }
    }

    /// The rows of one file.
    pub fn of_file(path: &Path, wanted: Wanted) -> Self {
        Self::new(vec![path.to_owned()], wanted)
    }
}

impl ReadRows for SplitRows {
    fn read_rows(&mut self, limit: usize) -> Result<Table, DataError> {
        let mut all = Table::default();
        while all.rows() < limit {
            let Some(current) = &mut self.current else {
                let Some(file) = self.files.next() else { break };
                let rows = self.opener.open(&file, &self.wanted)?;
                self.current = Some(Current { file, rows, is_fresh: true });
                continue;
            };
            let part = current.rows.read_rows(limit - all.rows())?;
            if part.rows() == 0 {
                if current.is_fresh && !part.has_columns() {
                    return Err(no_rows(&current.file));
                }
                self.current = None;
            } else {
                current.is_fresh = false;
            }
            all.append(part)?;
        }
        Ok(all)
    }
}

/// The fault of a file in which there are neither rows nor names of columns.
fn no_rows(file: &Path) -> DataError {
    let message = "expected rows, found none; fetch or write it again".to_owned();
    DataError::Malformed { place: file.display().to_string(), message }
}

impl Iterator for SplitRows {
    type Item = Result<Table, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        let chunk = self.read_rows(Self::CHUNK);
        if chunk.is_err() {
            // Nothing sure comes after damage.
            (self.files, self.current) = (Vec::new().into_iter(), None);
        }
        if chunk.as_ref().is_ok_and(|table| table.rows() == 0) { None } else { Some(chunk) }
    }
}

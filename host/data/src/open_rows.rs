//! Opens one file in the format that its name says and reads its rows.

use std::fmt::Debug;
use std::path::Path;

use crate::delimited::Delimited;
use crate::input::{FORMATS, Input, split_suffixes};
use crate::json::{JsonLines, read_json_list};
use crate::parquet_file::ParquetFile;
use crate::read_rows::{ReadRows, Wanted};
use crate::{DataError, Table, TextForm};

/// Opens data files. [`Parsing`] reads them as they are; the host stacks a cache of parsed rows on
/// a parser in a worker.
pub trait OpenRows: Debug + Send + Sync {
    /// Opens the file `path` to read the `wanted` columns.
    ///
    /// # Errors
    /// If the file cannot be opened, or its name has the suffix of no format.
    fn open(&self, path: &Path, wanted: &Wanted) -> Result<Box<dyn ReadRows>, DataError>;
}

/// Files are parsed whenever they are read.
#[derive(Clone, Copy, Debug)]
pub struct Parsing;

impl OpenRows for Parsing {
    fn open(&self, path: &Path, wanted: &Wanted) -> Result<Box<dyn ReadRows>, DataError> {
        open_rows(path, wanted)
    }
}

/// Reads a file: Parquet, JSON lines, a JSON list, CSV or TSV; the text formats also with `.gz` or
/// `.zst`.
///
/// # Errors
/// If the file cannot be read, or does not hold what its name says.
pub fn read_file(path: &Path) -> Result<Table, DataError> {
    open_rows(path, &Wanted::All)?.read_rows(usize::MAX)
}

/// Opens a file of any format.
///
/// # Errors
/// If the file cannot be opened, or its name has the suffix of no format.
pub fn open_rows(path: &Path, wanted: &Wanted) -> Result<Box<dyn ReadRows>, DataError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let (format, compression) = split_suffixes(&name);
    let form = wanted.form();
    let input = || Input::open(path, compression, form.and_then(TextForm::encoding));
    let delimiter = |usual| form.and_then(TextForm::delimiter).unwrap_or(usual);
    Ok(match (format, compression) {
        ("parquet", None) => Box::new(ParquetFile::open(path, wanted)?),
        ("jsonl" | "ndjson", _) => Box::new(JsonLines::new(input()?, wanted.clone())),
        ("json", _) => open_json(input()?, wanted.clone())?,
        ("csv", _) => Box::new(Delimited::open(input()?, delimiter(b','), wanted)?),
        ("tsv", _) => {
            let mut input = input()?;
            let delimiter = delimiter_of_tsv(&mut input, form.and_then(TextForm::delimiter))?;
            Box::new(Delimited::open(input, delimiter, wanted)?)
        }
        _ => {
            let found = if name.contains('.') { "another suffix" } else { "no suffix" };
            return Err(DataError::Malformed {
                place: path.display().to_string(),
                message: format!("expected a file in a supported format ({FORMATS}), found {found}"),
            });
        }
    })
}

/// What separates the cells of a file named `.tsv`: the tab that its name says, also where the card
/// names another character for CSV files beside it. That one counts in a file that has it in place
/// of tabs.
fn delimiter_of_tsv(input: &mut Input<'static>, of_card: Option<u8>) -> Result<u8, DataError> {
    let Some(mark) = of_card else { return Ok(b'\t') };
    let line = input.first_line()?;
    Ok(if line.contains(&mark) && !line.contains(&b'\t') { mark } else { b'\t' })
}

/// Files named `.json` hold a list, or JSON lines under the wrong name.
fn open_json(mut input: Input<'static>, wanted: Wanted) -> Result<Box<dyn ReadRows>, DataError> {
    if input.first_mark()? == Some(b'{') {
        return Ok(Box::new(JsonLines::new(input, wanted)));
    }
    Ok(Box::new(Whole { table: read_json_list(input, wanted)?, next: 0 }))
}

/// A table that is given out piece by piece.
struct Whole {
    table: Table,
    next: usize,
}

impl ReadRows for Whole {
    fn read_rows(&mut self, limit: usize) -> Result<Table, DataError> {
        if self.next == 0 && limit >= self.table.rows() {
            self.next = self.table.rows();
            let rest = self.table.slice(self.next..self.next);
            return Ok(std::mem::replace(&mut self.table, rest));
        }
        let start = self.next.min(self.table.rows());
        let end = start.saturating_add(limit).min(self.table.rows());
        self.next = end;
        Ok(self.table.slice(start..end))
    }
}

//! Opens one file in the format that its name says and reads its rows.

use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;

use crate::delimited::Delimited;
use crate::input::{Compression, Input};
use crate::json::{JsonLines, read_json_list};
use crate::parquet_file::ParquetFile;
use crate::{DataError, Table};

/// Suffixes of the formats that are read; the text formats also with `.gz` or `.zst` behind.
pub(crate) const FORMATS: &str = ".parquet, .jsonl, .ndjson, .json, .csv, .tsv";

/// Rows that are read from beginning to end, at most so many at a time.
pub trait ReadRows: Send {
    /// The next rows, at most `limit`; a table without rows at the end.
    ///
    /// # Errors
    /// If the file is damaged.
    fn read_rows(&mut self, limit: usize) -> Result<Table, DataError>;
}

/// A way to open data files: [`Parsing`] reads them as they are.
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

/// Reads a file: Parquet, JSON lines, a JSON list, CSV or TSV; the text formats also with `.gz` or `.zst`.
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
    let input = || Input::open(path, compression);
    Ok(match (format, compression) {
        ("parquet", None) => Box::new(ParquetFile::open(path, wanted)?),
        ("jsonl" | "ndjson", _) => Box::new(JsonLines::new(input()?, wanted.clone())),
        ("json", _) => open_json(input()?, wanted.clone())?,
        ("csv", _) => Box::new(Delimited::open(input()?, b',', wanted)?),
        ("tsv", _) => Box::new(Delimited::open(input()?, b'\t', wanted)?),
        _ => {
            let found = if name.contains('.') { "another suffix" } else { "no suffix" };
            return Err(DataError::Malformed {
                place: path.display().to_string(),
                message: format!("expected a file of a format that is read ({FORMATS}), found {found}"),
            });
        }
    })
}

/// True if the name has the suffix of a format that is read.
pub fn is_readable(name: &str) -> bool {
    let name = name.to_lowercase();
    let (format, compression) = split_suffixes(&name);
    let is_known = FORMATS.split(", ").any(|suffix| suffix.trim_start_matches('.') == format);
    is_known && (compression.is_none() || format != "parquet")
}

/// Bytes of the largest file of which it is known that it takes little memory, whatever it holds.
const SMALL: u64 = 256 << 10;

/// True if the file `path` of `length` bytes is a small text that is not compressed, which takes little memory whatever it
/// holds: cells of mixed types some 130 times their bytes by reckoning, and those that are not written have a budget.
pub fn is_bounded(path: &Path, length: u64) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    length <= SMALL && matches!(split_suffixes(&name), (format, None) if format != "parquet")
}

/// The suffix of the format of the file called `name`.
pub fn format_of(name: &str) -> &str {
    split_suffixes(name).0
}

/// True if the cells of the file called `name` are written without their types.
pub(crate) fn is_untyped(name: &str) -> bool {
    matches!(format_of(&name.to_lowercase()), "csv" | "tsv")
}

/// The suffix of the format, and that of a compression behind it.
fn split_suffixes(name: &str) -> (&str, Option<Compression>) {
    let (name, compression) = if let Some(name) = name.strip_suffix(".gz") {
        (name, Some(Compression::Gzip))
    } else if let Some(name) = name.strip_suffix(".zst") {
        (name, Some(Compression::Zstd))
    } else {
        (name, None)
    };
    (name.rsplit_once('.').map_or("", |(_, suffix)| suffix), compression)
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

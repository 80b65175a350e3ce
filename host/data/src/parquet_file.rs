//! Parquet files: each column is read on its own, flat ones straight into their buffers.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use rayon::prelude::*;

use crate::parquet_column::{Cells, CellsFault, FileBytes, NotRead};
use crate::parquet_flat::FlatColumn;
use crate::parquet_nested::NestedColumn;
use crate::place::{Counting, Places};
use crate::read_rows::{COLUMNS, ReadRows, Wanted, too_many_columns};
use crate::table::LeftOut;
use crate::{DataError, Table};

/// An open Parquet file.
pub struct ParquetFile {
    place: String,
    columns: Vec<(String, Source)>,
    /// Columns that are not wanted.
    passed_over: Vec<LeftOut>,
    /// Rows that are read, and rows that the footer announces.
    done: usize,
    announced: usize,
}

enum Source {
    Flat(Box<FlatColumn>),
    Nested(NestedColumn),
    /// The column holds what is not read.
    Unreadable(NotRead),
}

impl ParquetFile {
    /// Opens the file `path` to read the `wanted` columns.
    ///
    /// # Errors
    /// If the file cannot be opened or has no intact footer.
    pub fn open(path: &Path, wanted: &Wanted) -> Result<Self, DataError> {
        let place = path.display().to_string();
        let file =
            mteb_files::open(path).map_err(|source| DataError::Io { path: path.to_owned(), source })?;
        let parsed = unpanicked(|| Ok(Self::parse(file, place.clone(), wanted)?));
        let parsed = parsed.map_err(|fault| damaged(&place, fault))?;
        parsed.ok_or_else(|| DataError::Malformed { place, message: too_many_columns() })
    }

    /// The open file; `None` if it has too many columns.
    fn parse(file: File, place: String, wanted: &Wanted) -> Result<Option<Self>, ParquetError> {
        let file = FileBytes::new(file)?;
        let reader = Arc::new(SerializedFileReader::new(file.clone())?);
        let footer = reader.metadata().file_metadata();
        let schema = footer.schema_descr();
        if schema.root_schema().get_fields().len() > COLUMNS {
            return Ok(None);
        }
        let (mut columns, mut passed_over) = (Vec::new(), Vec::new());
        for field in schema.root_schema().get_fields() {
            let name = field.name();
            if !wanted.has(name) {
                passed_over.push((name.to_owned(), None));
                continue;
            }
            let mut own = (0..schema.num_columns())
                .filter(|&leaf| schema.column(leaf).path().parts().first().is_some_and(|part| part == name));
            let source = match (own.next(), field.is_primitive()) {
                (Some(leaf), true) if schema.column(leaf).max_rep_level() == 0 => {
                    FlatColumn::new(Arc::clone(&reader), leaf)
                        .map_or_else(Source::Unreadable, |column| Source::Flat(Box::new(column)))
                }
                _ => Source::Nested(NestedColumn::new(file.clone(), name)?),
            };
            columns.push((name.to_owned(), source));
        }
        let announced = usize::try_from(footer.num_rows())
            .map_err(|_| ParquetError::General("the footer announces a negative number of rows".into()))?;
        Ok(Some(Self { place, columns, passed_over, done: 0, announced }))
    }
}

impl ReadRows for ParquetFile {
    fn read_rows(&mut self, limit: usize) -> Result<Table, DataError> {
        let (done, place) = (self.done, &self.place);
        let read: Vec<(String, Cells)> = self
            .columns
            .par_iter_mut()
            .map(|(name, source)| {
                let cells = unpanicked(|| source.read(limit)).map_err(|fault| match fault {
                    CellsFault::NotUtf8(row) => DataError::Malformed {
                        place: format!("{place}, row {}, column `{name}`", done + row + 1),
                        message: "expected UTF-8 text, found other bytes".to_owned(),
                    },
                    fault => damaged(place, fault),
                })?;
                Ok((name.clone(), cells))
            })
            .collect::<Result<_, DataError>>()?;
        let (mut columns, mut left_out) = (Vec::new(), self.passed_over.clone());
        for (name, cells) in read {
            match cells {
                Cells::Read(column) => columns.push((name, column)),
                Cells::Unreadable(NotRead(what)) => left_out.push((name, Some(what))),
            }
        }
        let rows = columns.first().map_or(0, |(_, cells)| cells.len());
        self.done += rows;
        if rows < limit && self.done != self.announced && !columns.is_empty() {
            let message = format!(
                "expected the {} rows that the footer announces, found {}; fetch it again",
                self.announced, self.done
            );
            return Err(DataError::Malformed { place: self.place.clone(), message });
        }
        let places = Places::new(&self.place, Counting::Row, done + 1);
        Ok(Table { left_out, ..Table::with_places(columns, rows, places)? })
    }
}

impl Source {
    fn read(&mut self, limit: usize) -> Result<Cells, CellsFault> {
        match self {
            Self::Flat(column) => column.read(limit),
            Self::Nested(column) => column.read(limit),
            Self::Unreadable(what) => Ok(Cells::Unreadable(what.clone())),
        }
    }
}

/// The library panics on some damaged files.
fn unpanicked<T>(read: impl FnOnce() -> Result<T, CellsFault>) -> Result<T, CellsFault> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| {
        Err(ParquetError::General("its pages contradict each other or the footer".to_owned()).into())
    })
}

fn damaged(place: &str, fault: CellsFault) -> DataError {
    let why = match fault {
        CellsFault::Damaged(error) => error.to_string(),
        CellsFault::NotUtf8(_) => "text that is not UTF-8".to_owned(),
    };
    DataError::Malformed {
        place: place.to_owned(),
        message: format!("expected a Parquet file, found it damaged or truncated: {why}; fetch it again"),
    }
}

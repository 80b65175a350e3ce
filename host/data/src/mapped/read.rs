//! Gives the tables of a record again, each checked when it is asked for.

use std::fs::File;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::head::{CellsHead, ColumnHead, Head, Piece, RecordFault, Section, TextsHead, checksum};
use super::map::{Map, MappedTexts};
use crate::place::{Counting, Places};
use crate::{Column, RowsInCell, Table, Texts};

/// An open record. Each table has a map of its own, which goes with the last string of it.
#[derive(Debug)]
pub struct Recorded {
    file: File,
    head: Head,
    /// The piece that comes next.
    next: usize,
}

impl Recorded {
    /// Opens the record of `key` in `file`.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or is a record of something else.
    pub fn open(file: File, key: &str) -> Result<Self, RecordFault> {
        let head = Head::read(&file)?;
        if head.key != key {
            return Err(RecordFault::Damaged(format!(
                "expected the rows of {key}, found those of {}",
                head.key
            )));
        }
        Ok(Self { file, head, next: 0 })
    }

    /// The next table, where the data file is now called `place`. `None` if those who recorded it asked for another
    /// number of rows than `limit`, so that it may not be what a reader would give.
    ///
    /// # Errors
    /// If the piece cannot be read or is damaged.
    pub fn read(&mut self, place: &str, limit: usize) -> Result<Option<Table>, RecordFault> {
        let Some(piece) = self.head.pieces.get(self.next).or(self.head.pieces.last()) else {
            return Ok(None);
        };
        let (rows, limit) = (piece.rows, limit as u64);
        // A piece that the end of the file ended is the same for everyone who asked for more than it has.
        if piece.limit != limit && rows >= piece.limit.min(limit) {
            return Ok(None);
        }
        let table = piece.table(&self.file, place)?;
        self.next += 1;
        Ok(Some(table))
    }

    /// Reads and checks everything; gives the number of rows.
    ///
    /// # Errors
    /// If a piece cannot be read or is damaged.
    pub fn check(&self) -> Result<u64, RecordFault> {
        self.head.pieces.iter().try_for_each(|piece| piece.table(&self.file, "").map(drop))?;
        Ok(self.head.pieces.iter().map(|piece| piece.rows).sum())
    }
}

impl Piece {
    fn table(&self, file: &File, place: &str) -> Result<Table, RecordFault> {
        let mapped = MappedPiece::new(self, file)?;
        let rows = usize::try_from(self.rows).map_err(|_| damaged())?;
        let counting = if self.counts_lines { Counting::Line } else { Counting::Row };
        let runs = mapped.numbers(&self.places, u64::from_le_bytes)?;
        let runs = runs.chunks_exact(2).map(|run| [run[0], run[1]]);
        let places = Places::of_runs(place, counting, runs).ok_or_else(damaged)?;
        let columns = self.columns.iter().map(|column| Ok((column.name.clone(), mapped.cells(column)?)));
        let columns = columns.collect::<Result<_, RecordFault>>()?;
        let table = Table::with_places(columns, rows, places).map_err(|_| damaged())?;
        let file: Arc<str> = Arc::from(place);
        let of_lines = |[first_line, last_line, other_lines]: &[usize; 3]| RowsInCell {
            file: Arc::clone(&file),
            first_line: *first_line,
            last_line: *last_line,
            other_lines: *other_lines,
        };
        let rows_in_cells = self.rows_in_cells.iter().map(of_lines).collect();
        Ok(Table { left_out: self.left_out.clone(), rows_in_cells, ..table })
    }
}

/// The mapped bytes of a piece, whose checksums are right.
struct MappedPiece {
    /// Where they begin in the file.
    start: u64,
    map: Arc<Map>,
}

impl MappedPiece {
    fn new(piece: &Piece, file: &File) -> Result<Self, RecordFault> {
        let start = piece.sections().map(|section| section.offset).min().unwrap_or_default();
        let ends: Option<Vec<u64>> =
            piece.sections().map(|section| section.offset.checked_add(section.length)).collect();
        let end = ends.and_then(|ends| ends.into_iter().max()).ok_or_else(damaged)?;
        let mapped = Self { start, map: Arc::new(Map::new(file, start..end)?) };
        for section in piece.sections() {
            if checksum(mapped.bytes(section)?) != section.checksum {
                return Err(damaged());
            }
        }
        Ok(mapped)
    }

    fn cells(&self, column: &ColumnHead) -> Result<Column, RecordFault> {
        Ok(match &column.cells {
            CellsHead::Text(texts) => Column::Text(self.texts(texts)?),
            CellsHead::Int(cells) => Column::Int(self.numbers(cells, i64::from_le_bytes)?),
            CellsHead::Float(cells) => Column::Float(self.numbers(cells, f64::from_le_bytes)?),
            CellsHead::Any(cells) => {
                let texts = self.texts(cells)?;
                let cells = (0..texts.len()).into_par_iter().map(|row| serde_json::from_str(&texts[row]));
                Column::Any(cells.collect::<Result<_, _>>().map_err(|_| damaged())?)
            }
        })
    }

    fn texts(&self, texts: &TextsHead) -> Result<Texts, RecordFault> {
        let (bytes, ends) = (self.range(&texts.bytes)?, self.range(&texts.ends)?);
        MappedTexts::new(&self.map, bytes, ends).map(Texts::from).ok_or_else(damaged)
    }

    fn numbers<T>(&self, cells: &Section, number: fn([u8; 8]) -> T) -> Result<Vec<T>, RecordFault> {
        let (numbers, rest) = self.bytes(cells)?.as_chunks::<8>();
        if rest.is_empty() { Ok(numbers.iter().copied().map(number).collect()) } else { Err(damaged()) }
    }

    fn bytes(&self, section: &Section) -> Result<&[u8], RecordFault> {
        self.map.get(self.range(section)?).ok_or_else(damaged)
    }

    fn range(&self, section: &Section) -> Result<Range<usize>, RecordFault> {
        let start = section.offset.checked_sub(self.start).and_then(|start| usize::try_from(start).ok());
        let length = usize::try_from(section.length).ok();
        let end = start.zip(length).and_then(|(start, length)| start.checked_add(length));
        start.zip(end).map(|(start, end)| start..end).ok_or_else(damaged)
    }
}

fn damaged() -> RecordFault {
    RecordFault::Damaged("expected parsed rows as they were written, found others".to_owned())
}

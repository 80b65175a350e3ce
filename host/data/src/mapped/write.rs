//! Writes a record piece by piece, while its tables are read.

use std::io::{self, Write};

use super::head::{CellsHead, ColumnHead, Head, Piece, Section, TextsHead};
use crate::place::Counting;
use crate::{Column, Table, Texts};

/// A record in the making. What it wrote is a record once [`Self::finish`] has returned.
#[derive(Debug)]
pub struct Recorder<W> {
    out: W,
    /// Bytes that are written.
    length: u64,
    head: Head,
}

impl<W: Write> Recorder<W> {
    /// A record of `key`, written to `out`.
    pub fn new(out: W, key: &str) -> Self {
        Self { out, length: 0, head: Head { key: key.to_owned(), pieces: Vec::new() } }
    }

    /// Bytes that are written.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Adds the table that a reader of the file called `place` gave when it was asked for `limit` rows.
    ///
    /// # Errors
    /// If it cannot be written, or its rows came from elsewhere.
    pub fn add(&mut self, place: &str, limit: usize, table: &Table) -> io::Result<()> {
        let (counting, runs) = table
            .places
            .runs_of(place)
            .ok_or_else(|| io::Error::other("its rows came from several files"))?;
        let runs: Vec<u8> = runs.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
        let places = self.section(&runs)?;
        let mut columns = Vec::with_capacity(table.columns.len());
        for (name, column) in &table.columns {
            columns.push(ColumnHead { name: name.clone(), cells: self.cells(column)? });
        }
        self.head.pieces.push(Piece {
            limit: limit as u64,
            rows: table.rows() as u64,
            columns,
            left_out: table.left_out.clone(),
            rows_in_cells: table
                .rows_in_cells
                .iter()
                .map(|found| [found.first_line, found.last_line, found.other_lines])
                .collect(),
            counts_lines: counting == Counting::Line,
            places,
        });
        Ok(())
    }

    /// Ends the record and gives back what it was written to.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        let end = self.head.to_bytes(self.length)?;
        self.out.write_all(&end)?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn cells(&mut self, column: &Column) -> io::Result<CellsHead> {
        Ok(match column {
            Column::Text(texts) => CellsHead::Text(self.texts(texts)?),
            Column::Int(cells) => {
                let bytes: Vec<u8> = cells.iter().flat_map(|cell| cell.to_le_bytes()).collect();
                CellsHead::Int(self.section(&bytes)?)
            }
            Column::Float(cells) => {
                let bytes: Vec<u8> = cells.iter().flat_map(|cell| cell.to_le_bytes()).collect();
                CellsHead::Float(self.section(&bytes)?)
            }
            Column::Any(cells) => {
                let texts: Texts = cells.iter().map(ToString::to_string).collect();
                CellsHead::Any(self.texts(&texts)?)
            }
        })
    }

    fn texts(&mut self, texts: &Texts) -> io::Result<TextsHead> {
        let ends: Vec<u8> = texts.ends().flat_map(|end| (end as u64).to_le_bytes()).collect();
        Ok(TextsHead { bytes: self.section(texts.bytes().as_bytes())?, ends: self.section(&ends)? })
    }

    fn section(&mut self, bytes: &[u8]) -> io::Result<Section> {
        let section = Section::of(self.length, bytes);
        let padding = bytes.len().next_multiple_of(8) - bytes.len();
        self.out.write_all(bytes)?;
        self.out.write_all(&[0; 8][..padding])?;
        self.length += (bytes.len() + padding) as u64;
        Ok(section)
    }
}

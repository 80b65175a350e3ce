//! A table of named columns whose rows remember where they came from, and what a card calls it and
//! its columns.
//!
//! More of its methods: `typed_columns.rs` reads a column as the type that it must have,
//! `operations.rs` selects, renames and joins, `fields.rs` and `unfold.rs` take objects and lists
//! apart, `cell_words.rs` says what is wrong with a cell.

use std::collections::HashSet;

use crate::input::is_untyped;
use crate::likely::likely;
use crate::place::{Counting, Place, Places};
use crate::rows_in_cell::RowsInCell;
use crate::{Column, DataError, Location};

/// Rows of named columns, all of the same length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    pub(crate) columns: Vec<(String, Column)>,
    pub(crate) rows: usize,
    pub(crate) places: Places,
    /// Columns that the file has beside these.
    pub(crate) left_out: Vec<LeftOut>,
    /// What the card calls it and its columns.
    pub(crate) wording: CardWording,
    /// Rows of its files that may have swallowed others, however many of these are still in the
    /// table.
    pub(crate) rows_in_cells: Vec<RowsInCell>,
}

/// Name of a column that was not read, and what it holds if that cannot be read at all.
pub(crate) type LeftOut = (String, Option<String>);

impl Table {
    /// A table of `columns` read from `file`, whose first row is row 1 there.
    ///
    /// # Errors
    /// If the columns differ in length, or two have one name.
    pub fn new(file: impl Into<String>, columns: Vec<(String, Column)>) -> Result<Self, DataError> {
        let rows = columns.first().map_or(0, |(_, cells)| cells.len());
        Self::with_places(columns, rows, Places::new(&file.into(), Counting::Row, 1))
    }

    /// A table of `rows` rows that came from `places`.
    pub(crate) fn with_places(
        columns: Vec<(String, Column)>,
        rows: usize,
        places: Places,
    ) -> Result<Self, DataError> {
        let table = Self { columns, rows, places, ..Self::default() };
        let fault = |message| DataError::Malformed { place: table.place(0).0.to_owned(), message };
        let mut names = HashSet::new();
        for (name, cells) in &table.columns {
            if cells.len() != rows {
                let found = cells.len();
                return Err(fault(format!("expected {rows} cells in column `{name}`, found {found}")));
            }
            if !names.insert(name) {
                let message =
                    format!("expected columns of different names, found `{name}` twice; rename one of them");
                return Err(fault(message));
            }
        }
        Ok(table)
    }

    /// The same rows, of which messages know that they are the `part` of a ranking task.
    #[must_use]
    pub fn of_part(mut self, part: &'static str) -> Self {
        self.wording.part = Some(part);
        self
    }

    /// The same rows without their cells, for whoever must know only where they came from.
    #[must_use]
    pub fn without_cells(&self) -> Self {
        Self {
            rows: self.rows,
            places: self.places.clone(),
            wording: self.wording.clone(),
            ..Self::default()
        }
    }

    /// True if its file is a CSV or TSV file.
    pub fn is_untyped(&self) -> bool {
        is_untyped(self.place(0).0)
    }

    /// The rows of CSV and TSV files that it was read from each of whose lines reads as a row.
    pub fn rows_in_cells(&self) -> &[RowsInCell] {
        &self.rows_in_cells
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Column names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    /// True if the file names columns, even if it has no rows.
    pub(crate) fn has_columns(&self) -> bool {
        !self.columns.is_empty() || !self.left_out.is_empty()
    }

    /// The column called `name`, if there is one.
    pub fn get(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|(found, _)| found == name).map(|(_, cells)| cells)
    }

    /// The column called `name`.
    ///
    /// # Errors
    /// [`DataError::MissingColumn`] if there is none, [`DataError::Malformed`] if it is of a type
    /// that is not read.
    pub fn column(&self, name: &str) -> Result<&Column, DataError> {
        self.get(name).ok_or_else(|| {
            let place = self.wording.place();
            self.absent(name, |likely| match likely {
                Some(likely) => {
                    format!("; if `{likely}` is meant, say so {place}: `columns = {{ {name} = \"{likely}\" }}`")
                }
                None if self.has_row_for_header() => {
                    "; the first line is read as the header, and here it looks like a row: put a header before it".to_owned()
                }
                None if self.has_words_for_header() => {
                    "; the first line is read as the header, and here it looks like a row whose cells are \
                     separated by spaces, as in TREC files: put a header before it, and separate cells by tabs \
                     (`.tsv`) or commas (`.csv`)".to_owned()
                }
                None => format!("; if it has another name, say so {place}: `columns = {{ {name} = \"…\" }}`"),
            })
        })
    }

    /// The column that a card calls `name`.
    ///
    /// # Errors
    /// As [`Self::column`].
    pub fn named_column(&self, name: &str) -> Result<&Column, DataError> {
        let meant =
            |likely: Option<&str>| likely.map_or(String::new(), |name| format!("; did you mean `{name}`?"));
        self.get(name).ok_or_else(|| self.absent(name, meant))
    }

    /// True if one of the columns of a file without types is called as a number, as a sentence, or
    /// as one of its own cells, a label.
    fn has_row_for_header(&self) -> bool {
        /// Words from which on a text is rather a sentence than the name of a column.
        const WORDS: usize = 5;
        let has_several = self.columns.len() > 1;
        // A label stands in several rows.
        let is_cell = |name: &str, column: &Column| match column {
            Column::Text(cells) => cells.iter().filter(|cell| *cell == name).count() > 1,
            _ => false,
        };
        let is_of_row = |(name, column): &(String, Column)| {
            let is_text = || is_cell(name, column) || name.split_whitespace().count() >= WORDS;
            name.parse::<f64>().is_ok() || (has_several && is_text())
        };
        is_untyped(self.place(0).0) && self.columns.iter().any(is_of_row)
    }

    /// True if the only column of such a file is called as a row whose cells nothing but spaces
    /// divide.
    fn has_words_for_header(&self) -> bool {
        let mut names = self.names();
        let (Some(name), None) = (names.next(), names.next()) else { return false };
        let words: Vec<&str> = name.split_whitespace().collect();
        is_untyped(self.place(0).0) && words.len() > 2 && words.iter().any(|word| word.parse::<f64>().is_ok())
    }

    /// The fault that there is no column `name`, with the `advice` for the name that is likely
    /// meant.
    fn absent(&self, name: &str, advice: impl FnOnce(Option<&str>) -> String) -> DataError {
        let file = self.place(0).0.to_owned();
        if let Some((_, Some(what))) = self.left_out.iter().find(|(found, _)| found == name) {
            return DataError::Malformed {
                place: format!("{file}, column `{name}`"),
                message: format!(
                    "expected texts, numbers, booleans, lists or structs, found {what}; write the column as floating-point \
                     numbers or as texts"
                ),
            };
        }
        if self.rows() == 0 && !self.has_columns() {
            let message = format!("expected rows with a column `{name}`, found no row");
            return DataError::Malformed { place: file, message };
        }
        let own = || self.names().map(|name| self.wording.in_file(name));
        let names = || own().chain(self.left_out.iter().map(|(name, _)| name.as_str()));
        let present = names().map(str::to_owned).collect();
        let advice = match self.wording.here(name) {
            Some(here) => {
                format!("; the card's `columns` call it `{here}`: name it so, or leave it out there")
            }
            None => advice(likely(name, names())),
        };
        DataError::MissingColumn { file, column: name.to_owned(), present, advice }
    }

    /// About how many bytes of memory the cells take.
    pub fn memory(&self) -> usize {
        let of = |column: &Column| match column {
            Column::Text(texts) => texts.byte_len() + 8 * texts.len(),
            Column::Int(_) | Column::Float(_) => 8 * column.len(),
            // A JSON value and a guess of what hangs on it.
            Column::Any(_) => 128 * column.len(),
        };
        self.columns.iter().map(|(_, column)| of(column)).sum()
    }

    /// File and number (starting at 1) of the row or line that `row` (starting at 0) was read from.
    pub fn place(&self, row: usize) -> (&str, usize) {
        self.place_of(row).map_or(("an empty table", 1), |place| (place.file, place.number))
    }

    /// Where `row` (starting at 0) was read from, as messages say it: `pairs.csv, line 7`.
    pub fn location(&self, row: usize) -> String {
        self.at(row).to_string()
    }

    /// Where `row` (starting at 0) was read from.
    pub fn at(&self, row: usize) -> Location {
        let nowhere = Place { file: "an empty table", counting: Counting::Row, number: 1 };
        self.place_of(row).unwrap_or(nowhere).into()
    }

    pub(crate) fn place_of(&self, row: usize) -> Option<Place<'_>> {
        self.places.get(row)
    }
}

/// What the card says of the names of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CardWording {
    /// The part of a ranking task that the table is: its columns are named under
    /// `[dataset.parts.<part>]`.
    pub part: Option<&'static str>,
    /// Columns that are called otherwise than in the file: name here, name there.
    pub renamed: Vec<(String, String)>,
}

impl CardWording {
    /// Columns are called by the first name of each pair from here on, all at once, and no longer
    /// by the second.
    pub fn rename(&mut self, names: &[(&str, &str)]) {
        let in_file = |(new, old): &(&str, &str)| ((*new).to_owned(), self.in_file(old).to_owned());
        let renamed: Vec<(String, String)> = names.iter().map(in_file).collect();
        self.renamed.retain(|(name, _)| !names.iter().any(|(new, old)| name == new || name == old));
        self.renamed.extend(renamed.into_iter().filter(|(new, in_file)| new != in_file));
    }

    /// The name in the file of the column `name`.
    pub fn in_file<'a>(&'a self, name: &'a str) -> &'a str {
        self.renamed.iter().find(|(new, _)| new == name).map_or(name, |(_, old)| old)
    }

    /// What the column of the file `name` is called here, if otherwise.
    pub fn here(&self, name: &str) -> Option<&str> {
        self.renamed.iter().find(|(_, old)| old == name).map(|(new, _)| new.as_str())
    }

    /// Where in the card the names of columns stand, before a colon.
    pub fn place(&self) -> String {
        self.part.map_or_else(
            || "in the card".to_owned(),
            |part| format!("in the card under `[dataset.parts.{part}]`"),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_must_be_equally_long_and_differ_in_name() {
        let column = |cells: &[i64]| Column::Int(cells.to_vec());
        let table = |second: &str, cells: &[i64]| {
            Table::new("f.csv", vec![("a".to_owned(), column(&[1, 2])), (second.to_owned(), column(cells))])
                .map(|table| table.rows())
                .map_err(|error| error.to_string())
        };
        assert_eq!(table("b", &[3, 4]), Ok(2));
        assert_eq!(table("b", &[3]), Err("f.csv: expected 2 cells in column `b`, found 1".to_owned()));
        let twice = "f.csv: expected columns of different names, found `a` twice; rename one of them";
        assert_eq!(table("a", &[3, 4]), Err(twice.to_owned()));
    }

    #[test]
    fn columns_that_swap_their_names_are_found_in_the_file() {
        let mut wording = CardWording::default();
        wording.rename(&[("text", "label"), ("label", "text")]);
        assert_eq!((wording.in_file("text"), wording.in_file("label")), ("label", "text"));
        wording.rename(&[("text", "label"), ("label", "text")]);
        assert_eq!(wording, CardWording::default(), "called as in the file again");
        wording.rename(&[("id", "nomor")]);
        wording.rename(&[("_id", "id")]);
        assert_eq!((wording.in_file("_id"), wording.here("nomor")), ("nomor", Some("_id")));
    }
}

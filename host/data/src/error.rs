//! What can be wrong with data, said with its file, row and column, in messages short enough to be
//! read.

use std::fmt;
use std::path::PathBuf;

use crate::place::{Counting, Place};

/// A fault in a dataset: what was expected, what was found, where, and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// A file or folder could not be read.
    #[error("cannot read {path}: {source}", path = .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A cell holds something else than the column must hold.
    #[error("{0}")]
    Cell(Box<CellFault>),
    /// A column that is needed is absent.
    #[error("{file}: no column `{column}`; its columns are {}{advice}", .present.join(", "))]
    MissingColumn {
        /// File or part.
        file: String,
        /// The column that was asked for.
        column: String,
        /// The columns there are.
        present: Vec<String>,
        /// What to do, behind a semicolon; empty if nothing is known.
        advice: String,
    },
    /// A config, split or file that is needed is absent.
    #[error("{place}: no {what} `{name}`; there is {present}")]
    Missing {
        /// Dataset folder or file.
        place: String,
        /// Kind of thing: config, split, file.
        what: &'static str,
        /// Its name.
        name: String,
        /// What is there instead.
        present: String,
    },
    /// The bytes are not what the format says.
    #[error("{place}: {message}")]
    Malformed {
        /// File, with line or row where known.
        place: String,
        /// What was expected and what was found.
        message: String,
    },
}

/// Rows that a message names beside the first.
const SHOWN: usize = 3;

/// What is wrong with the cells of one column of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellFault {
    /// Where the first of them is.
    pub at: Location,
    /// Column name.
    pub column: String,
    /// What the column must hold.
    pub expected: String,
    /// What the first cell holds.
    pub found: String,
    /// What to do; empty where that is plain.
    pub advice: String,
    /// Numbers of the other rows of the file whose cells the column must not hold either.
    pub others: Vec<usize>,
}

impl CellFault {
    /// Takes in a further fault, if it is one of the same column and file.
    pub(crate) fn join(&mut self, other: Self) {
        if other.at.file == self.at.file && other.column == self.column {
            self.others.push(other.at.number);
            self.others.extend(other.others);
        }
    }
}

impl fmt::Display for CellFault {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let Self { at, column, expected, found, advice, others } = self;
        write!(formatter, "{at}, column `{column}`: expected {expected}, found {found}")?;
        if !others.is_empty() {
            let plural = if others.len() == 1 { "" } else { "s" };
            let is_are = if others.len() == 1 { "is" } else { "are" };
            let more = if others.len() > SHOWN { ", …" } else { "" };
            let numbers: Vec<String> = others.iter().take(SHOWN).map(usize::to_string).collect();
            let (count, unit, numbers) = (others.len(), at.unit, numbers.join(", "));
            write!(formatter, "; {count} more row{plural} {is_are} invalid: {unit}{plural} {numbers}{more}")?;
        }
        if !advice.is_empty() {
            write!(formatter, "; {advice}")?;
        }
        Ok(())
    }
}

/// A row of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// File, or the name of a part that a plugin gave.
    pub file: String,
    /// What `number` counts, in the singular.
    pub unit: &'static str,
    /// Row or line in the file, starting at 1.
    pub number: usize,
}

impl From<Place<'_>> for Location {
    fn from(place: Place<'_>) -> Self {
        let unit = match place.counting {
            Counting::Row => "row",
            Counting::Line => "line",
        };
        Self { file: place.file.to_owned(), unit, number: place.number }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{}, {} {}", self.file, self.unit, self.number)
    }
}

/// Characters of the longest message.
const MOST: usize = 4000;
/// Characters of its end that are kept: what to do stands there.
const END: usize = 600;

/// `message`, of which the middle is left out if it is too long.
pub fn shorten(message: String) -> String {
    if message.len() <= MOST {
        return message;
    }
    let count = message.chars().count();
    if count <= MOST {
        return message;
    }
    let place = |character: usize| message.char_indices().nth(character).map_or(message.len(), |(at, _)| at);
    let (head, tail) = (&message[..place(MOST - END)], &message[place(count - END)..]);
    format!("{head} […{} characters are left out…] {tail}", count - MOST)
}

#[cfg(test)]
mod tests {
    use super::shorten;

    #[test]
    fn the_middle_of_a_long_message_is_left_out() {
        let long = format!("expected {}, found {}; remove it", "é".repeat(10_000), "b".repeat(10_000));
        let short = shorten(long.clone());
        assert!(short.starts_with("expected éé") && short.ends_with("b; remove it"), "{short}");
        assert!(short.contains(" […16028 characters are left out…] "), "{short}");
        assert_eq!(shorten("é".repeat(4000)), "é".repeat(4000));
    }
}

//! Cells that hold something else than their column must hold: the first of them, and how many more there are.

use std::fmt;

use crate::Location;

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

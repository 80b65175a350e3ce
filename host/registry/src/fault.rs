//! Something wrong in a file, with its place.

use std::fmt;

/// One fault of a card, a registry or data.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Fault {
    /// The file.
    pub file: String,
    /// Line, starting at 1; 0 if the fault has no line.
    pub line: usize,
    /// Column, starting at 1.
    pub column: usize,
    /// What was expected, what was found, what to do.
    pub message: String,
    /// True if the card is sound by itself, and the data that it names is not there, or not where it may be.
    #[serde(skip)]
    pub is_of_data: bool,
}

impl Fault {
    /// A fault of the whole file.
    pub fn of_file(file: impl Into<String>, message: impl Into<String>) -> Self {
        Self { file: file.into(), line: 0, column: 0, message: message.into(), is_of_data: false }
    }

    /// The same, of data that is not there.
    pub fn of_data(self) -> Self {
        Self { is_of_data: true, ..self }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        if self.line == 0 {
            write!(formatter, "{}: {}", self.file, self.message)
        } else {
            write!(formatter, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
        }
    }
}

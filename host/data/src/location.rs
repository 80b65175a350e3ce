//! Where a row came from, as messages say it.

use std::fmt;

use crate::place::{Counting, Place};

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

//! A grade of a judgement, in an order and as people write it.

use std::cmp::Ordering;
use std::fmt;

use serde::{Serialize, Serializer};

/// A finite grade; a whole one is written without a point.
#[derive(Clone, Copy, Debug)]
pub struct Grade(pub f64);

impl fmt::Display for Grade {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Negative zero is the grade 0, too.
        write!(formatter, "{}", self.0 + 0.0)
    }
}

impl Serialize for Grade {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Ord for Grade {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.0 + 0.0).total_cmp(&(other.0 + 0.0))
    }
}

impl PartialOrd for Grade {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Grade {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Grade {}

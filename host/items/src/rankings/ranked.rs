//! Rankings: the documents that were found for each query, and why rankings cannot be read.

use std::collections::HashMap;
use std::io;

use mteb_data::Texts;

/// A document that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// Its place among [`Rankings::documents`].
    pub document: u32,
    /// Its score, finite; larger is better.
    pub score: f64,
    /// The line that it was read from, from 1; 0 if it was not read from lines.
    pub line: u32,
}

/// The documents that were found for each query, each document once a query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rankings {
    /// The file that they were read from; empty if they were not.
    pub source: String,
    /// The ids of the queries, each once.
    pub queries: Vec<String>,
    /// What was found for each of them.
    pub found: Vec<Vec<Ranked>>,
    /// The ids of all documents that were found.
    pub documents: Texts,
    /// True if the order of what was found counts for the deviation of its scores: that of a prediction file is the one in which the
    /// reference's model gave it.
    pub is_in_order: bool,
    /// True if ids may have been escaped, so that one that is unknown is to be looked up without escapes.
    pub may_be_escaped: bool,
}

impl Rankings {
    /// The place of each query by its id.
    pub fn places(&self) -> HashMap<&str, usize> {
        self.queries.iter().enumerate().map(|(place, id)| (id.as_str(), place)).collect()
    }

    /// Where `ranked` was read from, for messages.
    pub fn place(&self, ranked: Ranked) -> String {
        match ranked.line {
            0 => self.source.clone(),
            line => format!("{}, line {line}", self.source),
        }
    }

    /// Number of documents that were found, over all queries.
    pub fn len(&self) -> usize {
        self.found.iter().map(Vec::len).sum()
    }

    /// True if nothing was found.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Rankings that cannot be read, or cannot be right.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RankingsError {
    /// The file cannot be read.
    #[error("{file}: cannot read it: {error}")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system says.
        #[source]
        error: io::Error,
    },
    /// Something in the file is not what it must be.
    #[error("{place}: expected {expected}, found: {found}")]
    Fault {
        /// File, and line where there is one.
        place: String,
        /// What was expected.
        expected: String,
        /// What was found.
        found: String,
    },
}

//! Rankings: the documents that were found for each query, how they are put together while a file
//! is read, and why rankings cannot be read.

use std::collections::HashMap;
use std::io;

use mteb_data::Texts;

use super::escape::unescape;

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

/// Collects lines in any order.
pub(crate) struct Builder<'a> {
    rankings: Rankings,
    queries: HashMap<&'a str, usize>,
    documents: HashMap<&'a str, u32>,
    /// The query of the line before, because most lines are of the same.
    last: Option<(&'a str, usize)>,
    is_escaped: bool,
}

impl<'a> Builder<'a> {
    /// Nothing yet; ids are those that [`escape`](super::escape::escape) wrote, or as they are.
    pub fn new(source: &str, is_escaped: bool) -> Self {
        Self {
            rankings: Rankings {
                source: source.to_owned(),
                may_be_escaped: !is_escaped,
                ..Rankings::default()
            },
            queries: HashMap::new(),
            documents: HashMap::new(),
            last: None,
            is_escaped,
        }
    }

    /// A query, even if nothing is found for it.
    pub fn query(&mut self, id: &'a str) -> usize {
        if let Some((last, place)) = self.last
            && last == id
        {
            return place;
        }
        let place = match self.queries.get(id) {
            Some(&place) => place,
            None => {
                let place = self.rankings.queries.len();
                self.queries.insert(id, place);
                self.rankings.queries.push(plain(id, self.is_escaped));
                self.rankings.found.push(Vec::new());
                place
            }
        };
        self.last = Some((id, place));
        place
    }

    /// A document that was found for the query at `place`.
    pub fn found(&mut self, place: usize, document: &'a str, score: f64, line: u32) {
        let number = match self.documents.get(document) {
            Some(&number) => number,
            None => {
                let number = self.rankings.documents.len() as u32;
                self.documents.insert(document, number);
                if self.is_escaped {
                    self.rankings.documents.push(&plain(document, true));
                } else {
                    self.rankings.documents.push(document);
                }
                number
            }
        };
        self.rankings.found[place].push(Ranked { document: number, score, line });
    }

    /// The rankings.
    ///
    /// # Errors
    /// If a document was found twice for a query.
    pub fn finish(self) -> Result<Rankings, RankingsError> {
        let mut sorted: Vec<(u32, u32)> = Vec::new();
        for (query, found) in self.rankings.queries.iter().zip(&self.rankings.found) {
            sorted.clear();
            sorted.extend(found.iter().map(|ranked| (ranked.document, ranked.line)));
            sorted.sort_unstable();
            if let Some(pair) = sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                let (document, line) = pair[1];
                let first = match pair[0].1 {
                    0 => String::new(),
                    line => format!(", which line {line} has too"),
                };
                return Err(RankingsError::Fault {
                    place: self.rankings.place(Ranked { document, score: 0.0, line }),
                    expected: format!("each document once for query {query}"),
                    found: format!("{}{first}", &self.rankings.documents[document as usize]),
                });
            }
        }
        Ok(self.rankings)
    }
}

fn plain(id: &str, is_escaped: bool) -> String {
    if is_escaped { unescape(id) } else { None }.unwrap_or_else(|| id.to_owned())
}

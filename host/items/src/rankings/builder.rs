//! Rankings while they are read.

use std::collections::HashMap;

use super::escape::unescape;
use super::{Ranked, Rankings, RankingsError};

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

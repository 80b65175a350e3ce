//! Documents that are empty, of a corpus that goes by: a model embeds them, and whoever wrote the data should know.

use mteb_data::{Location, Texts};

use super::corpus_ids::IdRules;

/// How many documents have neither title nor text, and where the first of them is.
#[derive(Debug, Default)]
pub(super) struct EmptyDocuments {
    rows: usize,
    count: usize,
    first: Option<Location>,
}

impl EmptyDocuments {
    /// The documents of one piece.
    pub fn of(texts: &Texts, at: impl Fn(usize) -> Location) -> Self {
        let empty = || texts.iter().enumerate().filter(|(_, text)| text.trim().is_empty());
        Self { rows: texts.len(), count: empty().count(), first: empty().next().map(|(row, _)| at(row)) }
    }

    /// The next piece.
    pub fn add(&mut self, piece: Self) {
        self.rows += piece.rows;
        self.count += piece.count;
        self.first = self.first.take().or(piece.first);
    }

    /// What the reader of a result should know; nothing of data that others look after.
    pub fn note(&self, rules: &IdRules) -> Option<String> {
        let first = self.first.as_ref().filter(|_| rules.strict)?;
        Some(format!(
            "empty documents, which are scored as they are: {} of {}, the first in {first}",
            self.count, self.rows
        ))
    }
}

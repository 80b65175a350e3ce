//! Documents as whole numbers: the rows of the corpus, and documents that are judged but absent.

use std::collections::HashMap;

use mteb_data::Texts;
use mteb_measures::ranking::DocumentIds;

/// Gives every document id a number: the corpus row that holds it, or a number above all rows.
pub(super) struct DocumentNumbers<'a> {
    rows: HashMap<&'a str, u32>,
    absent: HashMap<String, u32>,
    names: Vec<String>,
    corpus: usize,
}

impl<'a> DocumentNumbers<'a> {
    /// Numbers for the ids of the corpus; of several rows with one id the last one counts.
    pub fn new(corpus: &'a Texts) -> Self {
        let rows = corpus.iter().enumerate().map(|(row, id)| (id, row as u32)).collect();
        Self { rows, absent: HashMap::new(), names: Vec::new(), corpus: corpus.len() }
    }

    /// The corpus row of `id`, if it is in the corpus.
    pub fn row(&self, id: &str) -> Option<u32> {
        self.rows.get(id).copied()
    }

    /// The number of `id`; an id that the corpus does not have gets a new one.
    pub fn number(&mut self, id: &str) -> u32 {
        if let Some(number) = self.rows.get(id).or_else(|| self.absent.get(id)) {
            return *number;
        }
        let number = (self.corpus + self.names.len()) as u32;
        self.absent.insert(id.to_owned(), number);
        self.names.push(id.to_owned());
        number
    }

    /// For each corpus row the row that counts for its id; `None` if no id occurs twice.
    pub fn duplicates(&self, corpus: &Texts) -> Option<Vec<u32>> {
        (self.rows.len() < self.corpus)
            .then(|| corpus.iter().filter_map(|id| self.rows.get(id).copied()).collect())
    }

    /// The ids that the corpus does not have, in order of their numbers.
    pub fn into_absent(self) -> Vec<String> {
        self.names
    }
}

/// Ids by number: those of the corpus rows, then those of absent documents.
pub(super) struct NumberedIds {
    corpus: Texts,
    absent: Vec<String>,
}

impl NumberedIds {
    pub fn new(corpus: Texts, absent: Vec<String>) -> Self {
        Self { corpus, absent }
    }
}

impl DocumentIds for NumberedIds {
    fn id(&self, document: u32) -> &str {
        match self.corpus.get(document as usize) {
            Some(id) => id,
            None => &self.absent[document as usize - self.corpus.len()],
        }
    }
}

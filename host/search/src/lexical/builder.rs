//! Builds an index, document by document.

use super::Language;
use super::index::{Bm25, Posting};
use super::terms::{Known, Terms};

/// Share of the documents from which on a term is skipped, where a language has no list of stop words.
const FREQUENT: f64 = 0.9;

/// An index that is being made.
pub struct Bm25Builder {
    terms: Terms,
    /// True if the language has a list of stop words.
    has_list: bool,
    known: Known,
    /// For each term the documents that have it, and how often.
    postings: Vec<Vec<Posting>>,
    /// Terms of each document, counted as often as they occur.
    lengths: Vec<u32>,
}

impl Bm25Builder {
    /// No document yet.
    pub fn new(language: Language) -> Self {
        Self {
            terms: Terms::new(language),
            has_list: language.stop_words.is_some(),
            known: Known::default(),
            postings: Vec::new(),
            lengths: Vec::new(),
        }
    }

    /// Takes in the next document: title, line break and text.
    pub fn add(&mut self, text: &str) {
        let document = self.lengths.len() as u32;
        let mut found: Vec<u32> = Vec::new();
        let mut words: Vec<Box<str>> = Vec::new();
        self.terms.words(text, |word| words.push(word.into()));
        for word in &words {
            let terms = &mut self.terms;
            found.extend(self.known.get(word, |word| Some(terms.number(word))));
        }
        self.lengths.push(found.len() as u32);
        found.sort_unstable();
        for same in found.chunk_by(|one, other| one == other) {
            let term = same[0] as usize;
            if term >= self.postings.len() {
                self.postings.resize_with(term + 1, Vec::new);
            }
            self.postings[term].push(Posting { document, score: same.len() as f32 });
        }
    }

    /// The index over all documents.
    pub fn finish(mut self) -> Bm25 {
        let documents = self.lengths.len();
        if !self.has_list {
            let is_frequent = |postings: &Vec<Posting>| postings.len() as f64 / documents as f64 >= FREQUENT;
            let frequent: Vec<u32> = (0..)
                .zip(&self.postings)
                .filter(|(_, found)| is_frequent(found))
                .map(|(term, _)| term)
                .collect();
            for &term in &frequent {
                for posting in std::mem::take(&mut self.postings[term as usize]) {
                    self.lengths[posting.document as usize] -= posting.score as u32;
                }
            }
            self.terms.leave_out(&frequent);
        }
        Bm25::new(self.terms, self.postings, &self.lengths)
    }
}

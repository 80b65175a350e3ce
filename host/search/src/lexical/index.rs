//! An index, built document by document, and the scores of documents for a query: BM25 as Lucene
//! has it, without the factor k1 + 1 (Kamphuis et al. 2020).

use mteb_measures::ranking::DocumentIds;

use super::Language;
use super::terms::{Known, Terms};
use crate::{Scored, compare};

/// How soon more occurrences of a term stop to count.
const K1: f64 = 1.5;

/// How much the length of a document counts.
const B: f64 = 0.75;

/// A document that has a term, and what the term adds to its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Posting {
    pub document: u32,
    pub score: f32,
}

/// Documents that can be searched.
pub struct Bm25 {
    terms: Terms,
    /// For each term its documents, ascending.
    postings: Vec<Vec<Posting>>,
    documents: usize,
}

impl Bm25 {
    /// An index from how often terms occur in documents.
    pub(crate) fn new(terms: Terms, mut postings: Vec<Vec<Posting>>, lengths: &[u32]) -> Self {
        let documents = lengths.len();
        let all: u64 = lengths.iter().map(|&length| u64::from(length)).sum();
        let mean = all as f64 / documents as f64;
        for postings in &mut postings {
            let rarity = f64::from(rarity(postings.len(), documents));
            for posting in postings {
                let (count, length) =
                    (f64::from(posting.score), f64::from(lengths[posting.document as usize]));
                let saturation = count / (K1 * ((1.0 - B) + B * length / mean) + count);
                posting.score = (rarity * saturation) as f32;
            }
        }
        Self { terms, postings, documents }
    }

    /// The score of every document for `query`, in the order in which they came; 0 where they share no term.
    ///
    /// A term that the query repeats counts as often. Sums are `f32`, in the order of the query.
    pub fn scores(&self, query: &str) -> Vec<f32> {
        let mut scores = vec![0.0; self.documents];
        self.terms.words(query, |word| {
            let postings = self.terms.find(word).and_then(|term| self.postings.get(term as usize));
            for posting in postings.into_iter().flatten() {
                scores[posting.document as usize] += posting.score;
            }
        });
        scores
    }

    /// The `depth` best documents for `query`, largest (score, id) first; documents without a score are among them if
    /// there are not enough others. `ids` has the documents in the order in which they came.
    pub fn best<I: DocumentIds + ?Sized>(&self, query: &str, depth: usize, ids: &I) -> Vec<Scored> {
        let scores = self.scores(query);
        let least = least_of_best(&scores, depth);
        let numbered = (0..).zip(scores);
        let mut best: Vec<Scored> = numbered.filter(|&(_, score)| score >= least).collect();
        let order = |one: &Scored, other: &Scored| compare(ids, *other, *one);
        if depth < best.len() {
            best.select_nth_unstable_by(depth, order);
            best.truncate(depth);
        }
        // Rankings of all queries are kept at once: without this each would keep the memory of what was skipped.
        best.shrink_to_fit();
        best.sort_unstable_by(order);
        best
    }
}

/// A score that each of the `depth` best documents has at least; 0 if fewer have any.
fn least_of_best(scores: &[f32], depth: usize) -> f32 {
    let mut positive: Vec<f32> = scores.iter().copied().filter(|&score| score > 0.0).collect();
    match depth.checked_sub(1) {
        Some(last) if last < positive.len() => {
            *positive.select_nth_unstable_by(last, |one, other| other.total_cmp(one)).1
        }
        _ => 0.0,
    }
}

/// ln(1 + (N − n + ½)/(n + ½)), for n of N documents.
fn rarity(found: usize, documents: usize) -> f32 {
    let (found, documents) = (found as f64, documents as f64);
    (1.0 + (documents - found + 0.5) / (found + 0.5)).ln() as f32
}

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

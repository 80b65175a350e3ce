//! An index, built document by document, and the scores of documents for a query: BM25 as Lucene
//! has it, without the factor k1 + 1 (Kamphuis et al. 2020).

use std::ops::Range;

use mteb_measures::ranking::DocumentIds;

use super::Language;
use super::occurrences::Occurrences;
use super::terms::Terms;
use crate::{Scored, compare};

/// How soon more occurrences of a term stop to count.
const K1: f64 = 1.5;

/// How much the length of a document counts.
const B: f64 = 0.75;

/// Documents that can be searched.
pub struct Bm25 {
    terms: Terms,
    /// The documents of the first term, ascending, then those of the second one, and so on.
    found: Vec<u32>,
    /// What the term adds to the score of each of them.
    parts: Vec<f32>,
    /// For each term where its documents end in both.
    ends: Vec<usize>,
    documents: usize,
}

impl Bm25 {
    /// The score of every document for `query`, in the order in which they came; 0 where they share no term.
    ///
    /// A term that the query repeats counts as often. Sums are `f32`, in the order of the query.
    pub fn scores(&self, query: &str) -> Vec<f32> {
        let mut scores = vec![0.0; self.documents];
        self.terms.words(query, |word| {
            let places = self.terms.find(word).map(|term| self.places_of(term)).unwrap_or_default();
            for (&document, part) in self.found[places.clone()].iter().zip(&self.parts[places]) {
                scores[document as usize] += part;
            }
        });
        scores
    }

    fn places_of(&self, term: u32) -> Range<usize> {
        let term = term as usize;
        let start = if term == 0 { 0 } else { self.ends[term - 1] };
        start..self.ends[term]
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
///
/// Terms are kept by document until all documents are in, and lie beside the index while it is written.
pub struct Bm25Builder {
    terms: Terms,
    /// True if the language has a list of stop words.
    has_list: bool,
    occurrences: Occurrences,
    /// Terms of each document, counted as often as they occur.
    lengths: Vec<u32>,
    /// Terms of the document that is taken in, in its order.
    found: Vec<u32>,
}

impl Bm25Builder {
    /// No document yet.
    pub fn new(language: Language) -> Self {
        Self {
            terms: Terms::new(language),
            has_list: language.stop_words.is_some(),
            occurrences: Occurrences::default(),
            lengths: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Takes in the next document: title, line break and text.
    pub fn add(&mut self, text: &str) {
        let Self { terms, found, .. } = self;
        found.clear();
        terms.number_all(text, found);
        found.sort_unstable();
        let counted = found.chunk_by(|one, other| one == other);
        self.occurrences.add(counted.map(|same| (same[0], same.len() as u32)));
        self.lengths.push(found.len() as u32);
    }

    /// The index over all documents.
    pub fn finish(mut self) -> Bm25 {
        self.terms.forget_words();
        let mut counts = self.count_documents();
        if !self.has_list {
            self.leave_out_frequent(&mut counts);
        }
        let scoring = Scoring::new(&self.lengths, &counts);
        let ends = sum_up(&counts);
        let mut places: Vec<usize> = std::iter::once(0).chain(ends.iter().copied()).collect();
        let all = ends.last().copied().unwrap_or_default();
        let (mut found, mut parts) = (vec![0; all], vec![0.0; all]);
        for (document, occurrences) in (0..).zip(self.occurrences.documents()) {
            // A term that is left out has no documents.
            for (term, count) in occurrences.filter(|&(term, _)| counts[term as usize] > 0) {
                let place = &mut places[term as usize];
                found[*place] = document;
                parts[*place] = scoring.score(document, term, count);
                *place += 1;
            }
        }
        Bm25 { terms: self.terms, found, parts, ends, documents: self.lengths.len() }
    }

    /// How many documents have each term.
    fn count_documents(&self) -> Vec<u32> {
        let mut counts = vec![0; self.terms.len()];
        self.occurrences.terms().iter().for_each(|&term| counts[term as usize] += 1);
        counts
    }

    /// Leaves out the terms that most documents have, which then count for no length.
    fn leave_out_frequent(&mut self, counts: &mut [u32]) {
        let documents = self.lengths.len() as f64;
        let is_frequent = |count: u32| f64::from(count) / documents >= FREQUENT;
        let frequent: Vec<u32> =
            (0..).zip(&*counts).filter(|&(_, &count)| is_frequent(count)).map(|(term, _)| term).collect();
        frequent.iter().for_each(|&term| counts[term as usize] = 0);
        for (occurrences, length) in self.occurrences.documents().zip(&mut self.lengths) {
            let left = occurrences.filter(|&(term, _)| counts[term as usize] == 0);
            *length -= left.map(|(_, count)| count).sum::<u32>();
        }
        self.terms.leave_out(&frequent);
    }
}

/// Where each part ends if parts of these lengths lie one behind the other.
fn sum_up(lengths: &[u32]) -> Vec<usize> {
    let mut end = 0;
    let add = |length: &u32| {
        end += *length as usize;
        end
    };
    lengths.iter().map(add).collect()
}

/// What a term adds to the score of a document.
struct Scoring<'a> {
    lengths: &'a [u32],
    mean_length: f64,
    /// For each term.
    rarities: Vec<f32>,
}

impl<'a> Scoring<'a> {
    /// From the length of each document, and in how many documents each term occurs.
    fn new(lengths: &'a [u32], found: &[u32]) -> Self {
        let documents = lengths.len();
        let all: u64 = lengths.iter().map(|&length| u64::from(length)).sum();
        let rarities = found.iter().map(|&found| rarity(found as usize, documents)).collect();
        Self { lengths, mean_length: all as f64 / documents as f64, rarities }
    }

    fn score(&self, document: u32, term: u32, count: u32) -> f32 {
        let (count, length) = (f64::from(count), f64::from(self.lengths[document as usize]));
        let saturation = count / (K1 * ((1.0 - B) + B * length / self.mean_length) + count);
        (f64::from(self.rarities[term as usize]) * saturation) as f32
    }
}

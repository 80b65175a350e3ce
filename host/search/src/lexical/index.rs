//! Scores of documents for a query: BM25 as Lucene has it, without the factor k1 + 1 (Kamphuis et al. 2020).

use mteb_measures::ranking::DocumentIds;

use super::terms::Terms;
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

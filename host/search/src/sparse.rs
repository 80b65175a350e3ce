//! Sparse embeddings: of each row only the numbers that are not zero, with their places (protocol 7.9).

use std::sync::{Arc, OnceLock};

use crate::Similarity;
use crate::multi_vector::Ragged;
use crate::pieces::PieceScores;
use crate::row_sums::NORM_FLOOR;

/// Rows of `dimension` numbers, most of which are zero. A row that has `n` others takes 8·n bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SparseRows {
    rows: Ragged,
    /// Places of the numbers, ascending within a row.
    terms: Vec<u32>,
    weights: Vec<f32>,
    dimension: usize,
}

impl SparseRows {
    /// No rows of `dimension` numbers.
    pub fn new(dimension: usize) -> Self {
        Self { dimension, ..Self::default() }
    }

    /// Adds a row: `weights[i]` stands at `terms[i]`. `None`, and no row, unless the terms ascend and lie below the dimension.
    #[must_use]
    pub fn push(&mut self, terms: &[u32], weights: &[f32]) -> Option<()> {
        let ascends = terms.windows(2).all(|pair| pair[0] < pair[1]);
        let fits = terms.last().is_none_or(|&last| (last as usize) < self.dimension);
        if !ascends || !fits || terms.len() != weights.len() {
            return None;
        }
        self.rows.push(terms.len());
        self.terms.extend_from_slice(terms);
        self.weights.extend_from_slice(weights);
        Some(())
    }

    /// Numbers a row.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        self.rows.bytes() + size_of::<u32>() * self.terms.len() + size_of::<f32>() * self.weights.len()
    }

    /// Places and numbers of row `index`.
    pub fn row(&self, index: usize) -> (&[u32], &[f32]) {
        let range = self.rows.range(index);
        (&self.terms[range.clone()], &self.weights[range])
    }

    /// Adds the rows of `other`, which have as many numbers.
    pub fn append(&mut self, other: &Self) {
        self.rows.append(&other.rows);
        self.terms.extend_from_slice(&other.terms);
        self.weights.extend_from_slice(&other.weights);
    }

    /// The rows at `indices`, in that order.
    #[must_use]
    pub fn select(&self, indices: &[usize]) -> Self {
        let mut selected = Self::new(self.dimension);
        for &index in indices {
            let (terms, weights) = self.row(index);
            selected.rows.push(terms.len());
            selected.terms.extend_from_slice(terms);
            selected.weights.extend_from_slice(weights);
        }
        selected
    }

    /// All numbers, zeros too, row after row.
    pub fn dense(&self) -> Vec<f32> {
        let mut dense = vec![0.0; self.len() * self.dimension];
        for (index, row) in dense.chunks_exact_mut(self.dimension.max(1)).enumerate() {
            let (terms, weights) = self.row(index);
            terms.iter().zip(weights).for_each(|(&term, &weight)| row[term as usize] = weight);
        }
        dense
    }

    /// The same rows as the similarity compares them: of length 1 for the cosine.
    #[must_use]
    pub fn prepared(mut self, kind: Similarity) -> Self {
        if kind == Similarity::Cosine {
            for row in 0..self.len() {
                let range = self.rows.range(row);
                let norm = sum(self.weights[range.clone()].iter().map(|weight| weight * weight)).sqrt();
                self.weights[range].iter_mut().for_each(|weight| *weight /= norm.max(NORM_FLOOR));
            }
        }
        self
    }

    /// Of each row what the similarity adds to the shared terms: its squared length, or the sum of its absolute numbers.
    fn own_terms(&self, kind: Similarity) -> Vec<f32> {
        let own = |row: usize| {
            let (_, weights) = self.row(row);
            match kind {
                Similarity::Cosine | Similarity::Dot => 0.0,
                Similarity::Euclidean => sum(weights.iter().map(|weight| weight * weight)),
                Similarity::Manhattan => sum(weights.iter().map(|weight| weight.abs())),
            }
        };
        (0..self.len()).map(own).collect()
    }
}

/// Queries and documents with sparse embeddings. A score is summed in the order of the terms, whichever way it is asked for.
pub struct SparseScores {
    kind: Similarity,
    queries: Arc<SparseRows>,
    documents: SparseRows,
    own: [Vec<f32>; 2],
    postings: OnceLock<Postings>,
}

impl SparseScores {
    /// `queries`, which are [`SparseRows::prepared`] for `kind`, and `documents`.
    pub fn new(kind: Similarity, queries: Arc<SparseRows>, documents: SparseRows) -> Self {
        let documents = documents.prepared(kind);
        let own = [queries.own_terms(kind), documents.own_terms(kind)];
        Self { kind, queries, documents, own, postings: OnceLock::new() }
    }

    /// What a term that both have adds.
    fn shared(&self, query: f32, document: f32) -> f32 {
        match self.kind {
            Similarity::Manhattan => (query - document).abs() - query.abs() - document.abs(),
            _ => query * document,
        }
    }

    fn finish(&self, shared: f32, query: usize, document: usize) -> f32 {
        let own = self.own[0][query] + self.own[1][document];
        match self.kind {
            Similarity::Cosine | Similarity::Dot => shared,
            Similarity::Euclidean => -(own - 2.0 * shared).max(0.0).sqrt(),
            Similarity::Manhattan => -(own + shared).max(0.0),
        }
    }

    fn score(&self, query: usize, document: usize) -> f32 {
        let (terms, weights) = self.queries.row(query);
        let (others, other_weights) = self.documents.row(document);
        let (mut left, mut right, mut shared) = (0, 0, 0.0);
        while left < terms.len() && right < others.len() {
            match terms[left].cmp(&others[right]) {
                std::cmp::Ordering::Less => left += 1,
                std::cmp::Ordering::Greater => right += 1,
                std::cmp::Ordering::Equal => {
                    shared += self.shared(weights[left], other_weights[right]);
                    (left, right) = (left + 1, right + 1);
                }
            }
        }
        self.finish(shared, query, document)
    }
}

impl PieceScores for SparseScores {
    fn queries(&self) -> usize {
        self.queries.len()
    }

    fn documents(&self) -> usize {
        self.documents.len()
    }

    fn fill(&self, query: usize, scores: &mut [f32]) {
        let postings = self.postings.get_or_init(|| Postings::of(&self.documents));
        scores.fill(0.0);
        let (terms, weights) = self.queries.row(query);
        for (&term, &weight) in terms.iter().zip(weights) {
            for &(document, other) in postings.of_term(term) {
                scores[document as usize] += self.shared(weight, other);
            }
        }
        for (document, score) in scores.iter_mut().enumerate() {
            *score = self.finish(*score, query, document);
        }
    }

    fn of(&self, query: usize, wanted: &[u32]) -> Vec<f32> {
        wanted.iter().map(|&document| self.score(query, document as usize)).collect()
    }
}

/// The documents of each term, with their numbers.
struct Postings {
    starts: Vec<usize>,
    entries: Vec<(u32, f32)>,
}

impl Postings {
    fn of(rows: &SparseRows) -> Self {
        let mut starts = vec![0; rows.dimension + 1];
        rows.terms.iter().for_each(|&term| starts[term as usize + 1] += 1);
        for term in 0..rows.dimension {
            starts[term + 1] += starts[term];
        }
        let (mut next, mut entries) = (starts.clone(), vec![(0, 0.0); rows.terms.len()]);
        for row in 0..rows.len() {
            let (terms, weights) = rows.row(row);
            for (&term, &weight) in terms.iter().zip(weights) {
                entries[next[term as usize]] = (row as u32, weight);
                next[term as usize] += 1;
            }
        }
        Self { starts, entries }
    }

    fn of_term(&self, term: u32) -> &[(u32, f32)] {
        &self.entries[self.starts[term as usize]..self.starts[term as usize + 1]]
    }
}

fn sum(terms: impl Iterator<Item = f32>) -> f32 {
    terms.fold(0.0, |sum, term| sum + term)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Candidates;

    fn rows(rows: &[&[f32]]) -> SparseRows {
        let mut sparse = SparseRows::new(rows[0].len());
        for row in rows {
            let (terms, weights): (Vec<u32>, Vec<f32>) =
                (0..).zip(*row).filter(|(_, weight)| **weight != 0.0).unzip();
            sparse.push(&terms, &weights).unwrap();
        }
        sparse
    }

    #[test]
    fn scores_are_those_of_the_same_rows_with_their_zeros() {
        let queries: [&[f32]; 3] = [&[1.0, 0.0, 2.0, 0.0], &[0.0; 4], &[0.0, 3.0, 0.5, -1.0]];
        let documents: [&[f32]; 3] = [&[0.0, 1.0, 4.0, 0.0], &[2.0, 0.0, 0.0, 1.5], &[0.0; 4]];
        for kind in [Similarity::Cosine, Similarity::Dot, Similarity::Euclidean, Similarity::Manhattan] {
            let scores = SparseScores::new(kind, Arc::new(rows(&queries).prepared(kind)), rows(&documents));
            let dense = Candidates::new(kind, documents.concat(), 4);
            for (query, row) in queries.iter().enumerate() {
                let mut all = vec![f32::NAN; 3];
                scores.fill(query, &mut all);
                assert_eq!(all, scores.of(query, &[0, 1, 2]), "{kind:?}");
                for (found, expected) in all.iter().zip(dense.scores(row, &[0, 1, 2])) {
                    assert!((found - expected).abs() < 1e-6, "{kind:?}: {found} instead of {expected}");
                }
            }
        }
    }

    #[test]
    fn rows_whose_terms_do_not_ascend_or_do_not_fit_are_refused() {
        let mut sparse = SparseRows::new(4);
        assert_eq!(sparse.push(&[1, 1], &[1.0, 2.0]), None);
        assert_eq!(sparse.push(&[2, 1], &[1.0, 2.0]), None);
        assert_eq!(sparse.push(&[4], &[1.0]), None);
        assert_eq!(sparse.push(&[0], &[]), None);
        assert_eq!((sparse.push(&[], &[]), sparse.push(&[0, 3], &[1.0, 2.0])), (Some(()), Some(())));
        assert_eq!(sparse.dense(), [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0]);
        assert_eq!(sparse.select(&[1, 0, 1]).row(2), (&[0, 3][..], &[1.0, 2.0][..]));
    }
}

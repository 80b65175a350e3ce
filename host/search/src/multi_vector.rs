//! Several vectors a text, compared by MaxSim: each vector of the query with the document's vector that is most similar to it.
//!
//! Protocol 7.9. Source: Khattab and Zaharia 2020, ColBERT, <https://arxiv.org/abs/2004.12832>.

use std::ops::Range;
use std::sync::Arc;

use crate::Similarity;
use crate::pieces::PieceScores;
use crate::product::{Block, fill};

/// Vectors of documents that are multiplied together, unless one document has more.
const TOGETHER: usize = 512;

/// The score of a document without vectors, which puts it behind all others, as sentence-transformers has it.
const WITHOUT_VECTORS: f32 = -1e9;

/// Texts with `dimension` numbers a vector, as many vectors as each has. None is padded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MultiVectors {
    rows: Ragged,
    values: Vec<f32>,
    dimension: usize,
}

impl MultiVectors {
    /// No texts.
    pub fn new(dimension: usize) -> Self {
        Self { dimension, ..Self::default() }
    }

    /// Adds a text with these vectors, one behind the other.
    pub fn push(&mut self, vectors: &[f32]) {
        self.rows.push(vectors.len() / self.dimension.max(1));
        self.values.extend_from_slice(vectors);
    }

    /// Numbers a vector.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        self.rows.bytes() + size_of::<f32>() * self.values.len()
    }

    /// The vectors of text `index`, one behind the other.
    pub fn row(&self, index: usize) -> &[f32] {
        self.vectors(self.rows.range(index))
    }

    /// Adds the texts of `other`, whose vectors have as many numbers.
    pub fn append(&mut self, other: &Self) {
        self.rows.append(&other.rows);
        self.values.extend_from_slice(&other.values);
    }

    /// The texts at `indices`, in that order.
    #[must_use]
    pub fn select(&self, indices: &[usize]) -> Self {
        let mut selected = Self::new(self.dimension);
        indices.iter().for_each(|&index| selected.push(self.row(index)));
        selected
    }

    fn vectors(&self, range: Range<usize>) -> &[f32] {
        &self.values[range.start * self.dimension..range.end * self.dimension]
    }
}

/// Queries and documents of several vectors each.
pub struct MaxSimScores {
    queries: Arc<MultiVectors>,
    documents: MultiVectors,
}

impl MaxSimScores {
    /// `queries` and `documents`, whose vectors have as many numbers.
    pub fn new(queries: Arc<MultiVectors>, documents: MultiVectors) -> Self {
        Self { queries, documents }
    }

    /// Writes the score of `query` with the documents of `range`, whose vectors lie one behind the other.
    fn fill_range(&self, query: usize, range: Range<usize>, products: &mut Vec<f32>, scores: &mut [f32]) {
        let (rows, dimension) = (&self.documents.rows, self.documents.dimension);
        let block = |rows| Block { rows, norms: &[], dimension };
        let begin = rows.range(range.start).start;
        let vectors = begin..rows.range(range.end - 1).end;
        let query = block(self.queries.row(query));
        products.clear();
        products.resize(query.len() * vectors.len(), 0.0);
        // The sizes are those of the blocks, so that there is nothing to fail.
        let _ = fill(Similarity::Dot, query, block(self.documents.vectors(vectors.clone())), products);
        scores.fill(0.0);
        for products in products.chunks_exact(vectors.len().max(1)) {
            for (document, score) in range.clone().zip(scores.iter_mut()) {
                let own = rows.range(document);
                // `max` would pass over what is not a number.
                let larger = |best: f32, &product: &f32| {
                    if product > best || product.is_nan() { product } else { best }
                };
                let own = &products[own.start - begin..own.end - begin];
                *score += own.iter().fold(f32::NEG_INFINITY, larger);
            }
        }
        for (document, score) in range.zip(scores) {
            if rows.range(document).is_empty() {
                *score = WITHOUT_VECTORS;
            }
        }
    }
}

impl PieceScores for MaxSimScores {
    fn queries(&self) -> usize {
        self.queries.len()
    }

    fn documents(&self) -> usize {
        self.documents.len()
    }

    fn fill(&self, query: usize, scores: &mut [f32]) {
        let (mut products, mut begin) = (Vec::new(), 0);
        while begin < self.documents() {
            let first = self.documents.rows.range(begin).start;
            let is_near = |&document: &usize| self.documents.rows.range(document).end - first <= TOGETHER;
            let end = (begin + 1..self.documents()).take_while(is_near).last().unwrap_or(begin) + 1;
            self.fill_range(query, begin..end, &mut products, &mut scores[begin..end]);
            begin = end;
        }
    }

    fn of(&self, query: usize, wanted: &[u32]) -> Vec<f32> {
        let (mut products, mut scores) = (Vec::new(), vec![0.0; wanted.len()]);
        for (&document, score) in wanted.iter().zip(scores.chunks_exact_mut(1)) {
            let document = document as usize;
            self.fill_range(query, document..document + 1, &mut products, score);
        }
        scores
    }
}

/// The ends of rows that lie one behind the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ragged {
    ends: Vec<usize>,
}

impl Ragged {
    /// Adds a row of `length`.
    pub fn push(&mut self, length: usize) {
        self.ends.push(self.end() + length);
    }

    /// Adds the rows of `other`.
    pub fn append(&mut self, other: &Self) {
        let begin = self.end();
        self.ends.extend(other.ends.iter().map(|end| begin + end));
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The place of row `index`.
    pub fn range(&self, index: usize) -> Range<usize> {
        let begin = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        begin..self.ends[index]
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        size_of::<usize>() * self.ends.len()
    }

    /// Where the last row ends.
    pub fn end(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&[f32]]) -> MultiVectors {
        let mut vectors = MultiVectors::new(2);
        texts.iter().for_each(|text| vectors.push(text));
        vectors
    }

    #[test]
    fn each_vector_of_the_query_counts_with_the_one_most_similar_to_it() {
        let queries = texts(&[&[1.0, 0.0, 0.0, 1.0], &[-1.0, -1.0], &[]]);
        let documents = texts(&[&[0.5, 0.0, 0.0, 3.0], &[], &[1.0, 1.0, 2.0, -5.0]]);
        let scores = MaxSimScores::new(Arc::new(queries), documents);
        let expected = [[3.5, -1e9, 3.0], [-0.5, -1e9, 3.0], [0.0, -1e9, 0.0]];
        for (query, expected) in expected.iter().enumerate() {
            let mut all = vec![f32::NAN; 3];
            scores.fill(query, &mut all);
            assert_eq!(&all, expected);
            assert_eq!(scores.of(query, &[2, 0, 1]), [expected[2], expected[0], expected[1]]);
        }
    }

    #[test]
    fn documents_of_many_vectors_score_as_each_alone() {
        let vectors = |seed: usize, count: usize| -> Vec<f32> {
            (0..2 * count).map(|place| ((seed * 37 + place * 11) % 19) as f32 - 9.0).collect()
        };
        let mut documents = MultiVectors::new(2);
        (0..40).for_each(|document| documents.push(&vectors(document, 1 + document * 53 % 700)));
        let scores = MaxSimScores::new(Arc::new(texts(&[&vectors(3, 5)])), documents);
        let mut all = vec![f32::NAN; 40];
        scores.fill(0, &mut all);
        assert_eq!(all, scores.of(0, &(0..40).collect::<Vec<u32>>()));
    }

    #[test]
    fn texts_are_kept_without_padding() {
        let mut all = texts(&[&[1.0, 2.0], &[3.0, 4.0, 5.0, 6.0]]);
        all.append(&texts(&[&[], &[7.0, 8.0]]));
        let chosen = all.select(&[3, 1, 2]);
        assert_eq!(
            (chosen.row(0), chosen.row(1), chosen.row(2)),
            (&[7.0, 8.0][..], &[3.0, 4.0, 5.0, 6.0][..], &[][..])
        );
        assert_eq!(all.bytes(), 4 * 8 + 4 * 8);
    }
}

//! Scores of queries against a piece of the corpus or, for reranking, against given documents,
//! whatever the embeddings are, and the best documents by them.

use mteb_measures::ranking::DocumentIds;
use rayon::prelude::*;

use crate::best::{Best, SearchError};
use crate::product::{manhattan, sum_of};
use crate::row_sums::{normalise, prepare};
use crate::{Scored, Similarity};

/// Queries that score the documents of a piece of the corpus.
pub trait PieceScores: Sync {
    /// Number of queries.
    fn queries(&self) -> usize;

    /// Number of documents.
    fn documents(&self) -> usize;

    /// Writes the score of query `query` with each of the documents, in order.
    fn fill(&self, query: usize, scores: &mut [f32]);

    /// The scores of query `query` with the documents `wanted`, in order.
    fn of(&self, query: usize, wanted: &[u32]) -> Vec<f32>;
}

/// The `depth` best documents of each query, largest (score, id) first.
///
/// The documents are `first`, `first + 1`, … of `ids`; `floors` holds a score a query below which nothing is wanted.
///
/// # Errors
/// If a score is not a number.
pub fn best_of_piece<I: DocumentIds + ?Sized>(
    scores: &dyn PieceScores,
    first: u32,
    ids: &I,
    depth: usize,
    floors: &[f32],
) -> Result<Vec<Vec<Scored>>, SearchError> {
    let best = |row: &mut Vec<f32>, query: usize| {
        scores.fill(query, row);
        let mut best = Best::new(depth, floors[query]);
        best.offer(ids, first, row);
        best.finish(ids).ok_or(SearchError::NotANumber { query })
    };
    (0..scores.queries()).into_par_iter().map_init(|| vec![0.0; scores.documents()], best).collect()
}

/// Queries and documents of one width, for a few documents per query.
pub struct DenseScores {
    queries: Vec<f32>,
    dimension: usize,
    documents: Candidates,
}

impl DenseScores {
    /// Row-major `queries` of `dimension` numbers each, and documents of as many.
    pub fn new(queries: Vec<f32>, dimension: usize, documents: Candidates) -> Self {
        Self { queries, dimension, documents }
    }
}

impl PieceScores for DenseScores {
    fn queries(&self) -> usize {
        self.queries.len() / self.dimension.max(1)
    }

    fn documents(&self) -> usize {
        self.documents.len()
    }

    fn fill(&self, query: usize, scores: &mut [f32]) {
        let all: Vec<u32> = (0..scores.len() as u32).collect();
        scores.copy_from_slice(&self.of(query, &all));
    }

    fn of(&self, query: usize, wanted: &[u32]) -> Vec<f32> {
        let query = &self.queries[query * self.dimension..(query + 1) * self.dimension];
        self.documents.scores(query, wanted)
    }
}

/// Documents that queries name as candidates.
#[derive(Clone, Debug)]
pub struct Candidates {
    kind: Similarity,
    rows: Vec<f32>,
    dimension: usize,
}

impl Candidates {
    /// Documents with the embeddings `rows` (row-major, `dimension` numbers per row).
    pub fn new(kind: Similarity, mut rows: Vec<f32>, dimension: usize) -> Self {
        prepare(kind, &mut rows, dimension);
        Self { kind, rows, dimension }
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.rows.len() / self.dimension.max(1)
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The similarity of `query` with each of the documents in the rows `wanted`, in order.
    ///
    /// `query` has as many numbers as a document's row.
    pub fn scores(&self, query: &[f32], wanted: &[u32]) -> Vec<f32> {
        let mut query = query.to_vec();
        if self.kind.is_of_directions() {
            normalise(&mut query);
        }
        wanted.iter().map(|&row| self.score(&query, self.row(row as usize))).collect()
    }

    fn row(&self, index: usize) -> &[f32] {
        &self.rows[index * self.dimension..(index + 1) * self.dimension]
    }

    fn score(&self, query: &[f32], document: &[f32]) -> f32 {
        match self.kind {
            Similarity::Cosine | Similarity::Dot => sum_of(query, document, |x, y| x * y),
            Similarity::Euclidean => -sum_of(query, document, |x, y| (x - y) * (x - y)).sqrt(),
            Similarity::Manhattan => -manhattan(query, document),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Similarity;

    struct Letters;

    impl DocumentIds for Letters {
        fn id(&self, document: u32) -> &str {
            ["a", "b", "c", "d", "e"][document as usize]
        }
    }

    fn scores(documents: &[f32]) -> DenseScores {
        DenseScores::new(vec![1.0, -1.0], 1, Candidates::new(Similarity::Dot, documents.to_vec(), 1))
    }

    #[test]
    fn the_best_come_first_and_ties_go_by_the_id() {
        let floors = [f32::NEG_INFINITY, -2.0];
        let best = best_of_piece(&scores(&[1.0, 3.0, 3.0, 2.0]), 1, &Letters, 2, &floors).unwrap();
        assert_eq!(best, [vec![(3, 3.0), (2, 3.0)], vec![(1, -1.0), (4, -2.0)]]);
    }

    #[test]
    fn what_is_not_a_number_names_its_query() {
        let failed = best_of_piece(&scores(&[1.0, f32::NAN]), 0, &Letters, 2, &[f32::NEG_INFINITY; 2]);
        assert!(matches!(failed, Err(SearchError::NotANumber { query: 0 })));
    }
}

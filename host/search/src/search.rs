//! Full search: the best documents of every query in a chunk of the corpus.

use std::ops::Range;

use mteb_measures::ranking::DocumentIds;
use rayon::prelude::*;

use crate::best::{Best, compare};
use crate::product::{Block, fill};
use crate::rows::{prepare, squared_norms};
use crate::{Scored, Similarity};

/// Queries whose similarities are computed together.
const QUERIES: usize = 256;

/// Documents whose similarities are computed together; a block of scores then fits a core's cache.
const DOCUMENTS: usize = 512;

/// Fewest documents that are worth a task of their own.
const SEGMENT: usize = 8 * DOCUMENTS;

/// Why a search failed.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// Embeddings of unequal length.
    #[error("expected document embeddings of {queries} numbers, as the queries have, found {documents}")]
    Dimension {
        /// Numbers in a query's embedding.
        queries: usize,
        /// Numbers in a document's embedding.
        documents: usize,
    },
    /// The rows do not fill a matrix.
    #[error("the embeddings do not form a matrix: {0}")]
    Shape(#[from] ndarray::ShapeError),
    /// A similarity overflowed.
    #[error(
        "the similarity of query {query} with a document is not a number: the embeddings are too large for f32"
    )]
    NotANumber {
        /// The query's row, starting at 0.
        query: usize,
    },
}

/// Queries, ready to be compared with documents.
#[derive(Clone, Debug)]
pub struct Search {
    kind: Similarity,
    queries: Vec<f32>,
    norms: Vec<f32>,
    dimension: usize,
    depth: usize,
}

impl Search {
    /// A search for the `depth` best documents of each row of `queries` (row-major, `dimension` numbers a row).
    pub fn new(kind: Similarity, mut queries: Vec<f32>, dimension: usize, depth: usize) -> Self {
        prepare(kind, &mut queries, dimension);
        let norms = norms(kind, &queries, dimension);
        Self { kind, queries, norms, dimension, depth }
    }

    /// Number of queries.
    pub fn queries(&self) -> usize {
        self.queries.len() / self.dimension.max(1)
    }

    /// The best documents of each query among the rows of `documents`, largest (score, id) first.
    ///
    /// The rows are the documents `first`, `first + 1`, … of `ids`. `floors` holds a score a query below which
    /// nothing is wanted (minus infinity for all). The result does not depend on how the corpus is cut into chunks.
    ///
    /// # Errors
    /// If the dimensions differ or a similarity is not a number.
    pub fn best<I: DocumentIds + ?Sized>(
        &self,
        mut documents: Vec<f32>,
        dimension: usize,
        first: u32,
        ids: &I,
        floors: &[f32],
    ) -> Result<Vec<Vec<Scored>>, SearchError> {
        if dimension != self.dimension {
            return Err(SearchError::Dimension { queries: self.dimension, documents: dimension });
        }
        prepare(self.kind, &mut documents, dimension);
        let norms = norms(self.kind, &documents, dimension);
        let chunk = Chunk { rows: &documents, norms: &norms, first };
        let count = documents.len() / dimension.max(1);
        let blocks = self.queries().div_ceil(QUERIES);
        let segment = segment_length(blocks, count);
        let segments = count.div_ceil(segment);
        let parts = (0..blocks * segments)
            .into_par_iter()
            .map_init(Vec::new, |scores, task| {
                let start = task % segments * segment;
                let end = (start + segment).min(count);
                self.search_segment(task / segments, &chunk, start..end, ids, floors, scores)
            })
            .collect::<Result<Vec<_>, _>>()?;
        Ok(self.merge(parts, segments, ids))
    }

    /// One block of queries against the documents `range` of the chunk.
    fn search_segment<I: DocumentIds + ?Sized>(
        &self,
        block: usize,
        chunk: &Chunk<'_>,
        range: Range<usize>,
        ids: &I,
        floors: &[f32],
        scores: &mut Vec<f32>,
    ) -> Result<Vec<Vec<Scored>>, SearchError> {
        let rows = block * QUERIES..((block + 1) * QUERIES).min(self.queries());
        let queries = self.block(&self.queries, &self.norms, rows.clone());
        let mut best: Vec<Best> =
            floors[rows.clone()].iter().map(|&floor| Best::new(self.depth, floor)).collect();
        for start in range.clone().step_by(DOCUMENTS) {
            let end = (start + DOCUMENTS).min(range.end);
            scores.resize(queries.len() * (end - start), 0.0);
            fill(self.kind, queries, self.block(chunk.rows, chunk.norms, start..end), scores)?;
            for (best, scores) in best.iter_mut().zip(scores.chunks_exact(end - start)) {
                best.offer(ids, chunk.first + start as u32, scores);
            }
        }
        rows.zip(best)
            .map(|(query, best)| best.finish(ids).ok_or(SearchError::NotANumber { query }))
            .collect()
    }

    fn block<'a>(&self, rows: &'a [f32], norms: &'a [f32], range: Range<usize>) -> Block<'a> {
        let norms = if norms.is_empty() { norms } else { &norms[range.clone()] };
        let dimension = self.dimension;
        Block { rows: &rows[range.start * dimension..range.end * dimension], norms, dimension }
    }

    /// The best of each query over the segments of a chunk; the segments of one block of queries lie side by side.
    fn merge<I: DocumentIds + ?Sized>(
        &self,
        parts: Vec<Vec<Vec<Scored>>>,
        segments: usize,
        ids: &I,
    ) -> Vec<Vec<Scored>> {
        let mut merged: Vec<Vec<Scored>> = vec![Vec::new(); self.queries()];
        for (task, part) in parts.into_iter().enumerate() {
            let first = task / segments * QUERIES;
            for (best, found) in merged[first..].iter_mut().zip(part) {
                if best.is_empty() {
                    *best = found;
                } else {
                    best.extend(found);
                }
            }
        }
        if segments > 1 {
            merged.par_iter_mut().for_each(|best| {
                best.sort_unstable_by(|&a, &b| compare(ids, b, a));
                best.truncate(self.depth);
            });
        }
        merged
    }
}

/// A part of the corpus.
struct Chunk<'a> {
    rows: &'a [f32],
    norms: &'a [f32],
    first: u32,
}

fn norms(kind: Similarity, rows: &[f32], dimension: usize) -> Vec<f32> {
    if kind == Similarity::Euclidean { squared_norms(rows, dimension) } else { Vec::new() }
}

/// Few blocks of queries leave threads idle, so that the documents are divided as well.
fn segment_length(blocks: usize, documents: usize) -> usize {
    let wanted = (2 * rayon::current_num_threads()).div_ceil(blocks.max(1));
    documents.div_ceil(wanted).max(SEGMENT).next_multiple_of(DOCUMENTS)
}

//! The best documents by similarities in f32: a blocked product of which only the best of each block stay.

use std::ops::Range;

use mteb_measures::ranking::DocumentIds;
use rayon::prelude::*;

use crate::best::{Best, SearchError, compare};
use crate::product::{Block, fill};
use crate::{Scored, Similarity};

/// Queries whose similarities are computed together.
const QUERIES: usize = 256;

/// Documents whose similarities are computed together; a block of scores then fits a core's cache.
const DOCUMENTS: usize = 512;

/// Fewest documents that are worth a task of their own.
const SEGMENT: usize = 8 * DOCUMENTS;

/// The documents of a search, and how they are compared with queries.
pub(crate) struct Plain<'a, I: ?Sized> {
    pub kind: Similarity,
    pub documents: Block<'a>,
    /// The first document's number in `ids`.
    pub first: u32,
    pub ids: &'a I,
    /// Documents wanted for a query.
    pub depth: usize,
}

impl<I: DocumentIds + ?Sized> Plain<'_, I> {
    /// The best documents of each query, largest (score, id) first; `floors` holds the least wanted score of each.
    pub(crate) fn best(&self, queries: Block<'_>, floors: &[f32]) -> Result<Vec<Vec<Scored>>, SearchError> {
        let count = self.documents.len();
        let blocks = queries.len().div_ceil(QUERIES);
        let segment = segment_length(blocks, count);
        let segments = count.div_ceil(segment);
        let parts = (0..blocks * segments)
            .into_par_iter()
            .map_init(Vec::new, |scores, task| {
                let start = task % segments * segment;
                let end = (start + segment).min(count);
                self.search_segment(task / segments, queries, start..end, floors, scores)
            })
            .collect::<Result<Vec<_>, _>>()?;
        Ok(self.merge(queries.len(), parts, segments))
    }

    /// One block of queries against the documents of `range`.
    fn search_segment(
        &self,
        block: usize,
        queries: Block<'_>,
        range: Range<usize>,
        floors: &[f32],
        scores: &mut Vec<f32>,
    ) -> Result<Vec<Vec<Scored>>, SearchError> {
        let rows = block * QUERIES..((block + 1) * QUERIES).min(queries.len());
        let queries = queries.range(rows.clone());
        let mut best: Vec<Best> =
            floors[rows.clone()].iter().map(|&floor| Best::new(self.depth, floor)).collect();
        for start in range.clone().step_by(DOCUMENTS) {
            let end = (start + DOCUMENTS).min(range.end);
            scores.resize(queries.len() * (end - start), 0.0);
            fill(self.kind, queries, self.documents.range(start..end), scores)?;
            for (best, scores) in best.iter_mut().zip(scores.chunks_exact(end - start)) {
                best.offer(self.ids, self.first + start as u32, scores);
            }
        }
        rows.zip(best)
            .map(|(query, best)| best.finish(self.ids).ok_or(SearchError::NotANumber { query }))
            .collect()
    }

    /// The best of each query over the segments; the segments of one block of queries lie side by side.
    fn merge(&self, queries: usize, parts: Vec<Vec<Vec<Scored>>>, segments: usize) -> Vec<Vec<Scored>> {
        let mut merged: Vec<Vec<Scored>> = vec![Vec::new(); queries];
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
                best.sort_unstable_by(|&a, &b| compare(self.ids, b, a));
                best.truncate(self.depth);
            });
        }
        merged
    }
}

/// Few blocks of queries leave threads idle, so that the documents are divided as well.
fn segment_length(blocks: usize, documents: usize) -> usize {
    let wanted = (2 * rayon::current_num_threads()).div_ceil(blocks.max(1));
    documents.div_ceil(wanted).max(SEGMENT).next_multiple_of(DOCUMENTS)
}

//! Screens a block of queries against a range of the documents, one stride at a time.

use std::ops::Range;

use super::extent::Extent;
use super::form::{Form, QueryBlock, STRIDE};
use super::survivors::Survivors;

/// Survivors of a query that are never too many for the memory of a block of queries.
const MOST: usize = 1 << 14;

/// One block of queries and the documents of a chunk.
pub(super) struct Screening<'a, F: Form> {
    pub form: F,
    pub queries: &'a QueryBlock<F>,
    pub documents: &'a F::Documents,
    /// Of each stride of documents.
    pub extents: &'a [Extent],
    /// Documents.
    pub count: usize,
    /// Numbers of a row before padding.
    pub dimension: usize,
    pub depth: usize,
    /// One of so many documents may survive.
    pub share: usize,
}

impl<F: Form> Screening<'_, F> {
    /// The survivors of each query in the given strides of documents.
    pub(super) fn survivors(&self, strides: Range<usize>, floors: &[f32]) -> Vec<Survivors> {
        let QueryBlock { queries, extents } = self.queries;
        let limit = (strides.len() * STRIDE / self.share).min(MOST).max(4 * self.depth);
        let mut survivors: Vec<Survivors> =
            floors.iter().map(|&floor| Survivors::new(floor, self.depth)).collect();
        let mut thresholds = vec![f32::INFINITY; F::places(queries)];
        let mut errors = vec![0.0; floors.len()];
        let mut hits = Vec::new();
        for stride in strides {
            for (query, survivors) in survivors.iter().enumerate() {
                errors[query] = extents[query].error(self.extents[stride], self.dimension);
                thresholds[query] = F::threshold(queries, query, survivors.threshold(errors[query]));
            }
            self.form.hits(self.documents, stride, queries, &thresholds, &mut hits);
            for hit in hits.drain(..) {
                let document = stride * STRIDE + hit.document as usize;
                // Rows that fill up the last stride are no documents.
                if document < self.count {
                    let query = hit.query as usize;
                    survivors[query].add(document as u32, hit.score, errors[query]);
                }
            }
            survivors.iter_mut().for_each(|survivors| survivors.select(self.depth, limit));
        }
        survivors.into_iter().map(|survivors| survivors.compact(self.depth)).collect()
    }
}

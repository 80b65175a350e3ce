//! A screening in one form, and the rescoring of what survives it.

use std::mem::take;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use mteb_measures::ranking::DocumentIds;
use rayon::prelude::*;

use super::form::{Extent, Form, LARGEST_DIMENSION, QueryBlock, STRIDE};
use super::survivors::{Rescoring, Screened, Survivors};
use crate::product::Block;

/// Queries of a block are a multiple of it, so that no places but the last fill up.
const MULTIPLE: usize = 32;

/// Fewest strides of documents that are worth a task of their own.
const SEGMENT: usize = 32;

/// Queries, rounded.
#[derive(Clone, Debug)]
pub(super) struct Screen<F: Form> {
    form: F,
    /// Queries a block.
    length: usize,
    blocks: Vec<QueryBlock<F>>,
    /// Memory for rounded documents, kept from chunk to chunk.
    memory: Arc<Mutex<F::Memory>>,
}

impl<F: Form> Screen<F> {
    /// Rounds `queries`; `None` if the numbers are outside what the error bound covers.
    pub(super) fn new(form: F, queries: Block<'_>) -> Option<Self> {
        let Block { rows, dimension, .. } = queries;
        if dimension == 0 || dimension > LARGEST_DIMENSION {
            return None;
        }
        let length = block_length(queries.len(), form.together(dimension));
        let block = |rows: &[f32]| {
            let (queries, extents) = form.queries(rows, dimension);
            extents.iter().all(|extent| extent.is_finite()).then_some(QueryBlock { queries, extents })
        };
        let blocks = rows.par_chunks(length * dimension).map(block).collect::<Option<_>>()?;
        Some(Self { form, length, blocks, memory: Arc::default() })
    }

    /// The `depth` best documents of each query, largest (score, id) first, among those that reach its floor; `None` if
    /// the documents are outside what the error bound covers. A query of which more than one of `share` documents survive
    /// is given up.
    pub(super) fn best<I: DocumentIds + ?Sized>(
        &self,
        rescoring: &Rescoring<'_, I>,
        floors: &[f32],
        share: usize,
    ) -> Option<Vec<Screened>> {
        let memory = self.memory.lock().map(|mut memory| take(&mut *memory)).unwrap_or_default();
        let Block { rows, dimension, .. } = rescoring.documents;
        let (documents, extents) = self.form.documents(rows, dimension, memory);
        let inside = extents.iter().all(|extent| extent.is_finite());
        let survivors = inside.then(|| self.survivors(&documents, &extents, rescoring, floors, share));
        if let Ok(mut memory) = self.memory.lock() {
            *memory = F::memory(documents);
        }
        Some(rescoring.best(survivors?, floors))
    }

    /// The survivors of each query.
    fn survivors<I: ?Sized + Sync>(
        &self,
        documents: &F::Documents,
        extents: &[Extent],
        rescoring: &Rescoring<'_, I>,
        floors: &[f32],
        share: usize,
    ) -> Vec<Survivors> {
        let depth = rescoring.depth;
        let segment = segment_length(self.blocks.len(), extents.len(), depth);
        let segments = extents.len().div_ceil(segment);
        let parts: Vec<Vec<Survivors>> = (0..self.blocks.len() * segments)
            .into_par_iter()
            .map(|task| {
                let (block, start) = (task / segments, task % segments * segment);
                let screening = Screening {
                    form: self.form,
                    queries: &self.blocks[block],
                    documents,
                    extents,
                    count: rescoring.documents.len(),
                    dimension: rescoring.documents.dimension,
                    depth,
                    share,
                };
                let floors = floors.chunks(self.length).nth(block).unwrap_or_default();
                screening.survivors(start..(start + segment).min(extents.len()), floors)
            })
            .collect();
        let mut parts = parts.into_iter();
        let mut joined = Vec::with_capacity(floors.len());
        for _ in &self.blocks {
            let mut block = parts.next().unwrap_or_default();
            for part in parts.by_ref().take(segments - 1) {
                block.iter_mut().zip(part).for_each(|(survivors, part)| survivors.join(part));
            }
            joined.extend(block);
        }
        joined
    }
}

/// Queries a block, so that there is a block for every thread, or for every thread as many.
fn block_length(queries: usize, together: Range<usize>) -> usize {
    let blocks = queries.div_ceil(together.end).next_multiple_of(rayon::current_num_threads());
    queries.div_ceil(blocks.max(1)).max(together.start).next_multiple_of(MULTIPLE)
}

/// Strides of documents a task: few blocks of queries leave threads idle, so that the documents are divided as well, but
/// into parts from which few survive.
fn segment_length(blocks: usize, strides: usize, depth: usize) -> usize {
    let wanted = rayon::current_num_threads().div_ceil(blocks.max(1));
    strides.div_ceil(wanted).max(SEGMENT).max(4 * depth / STRIDE)
}

/// Survivors of a query that are never too many for the memory of a block of queries.
const MOST: usize = 1 << 14;

/// One block of queries and the documents of a chunk.
struct Screening<'a, F: Form> {
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

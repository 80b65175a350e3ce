//! Screens a block of queries against a range of the documents, a stride at a time.

use std::ops::Range;

use super::extent::Extent;
use super::kernel::{Kernel, Operands};
use super::query_block::QueryBlock;
use super::survivors::Survivors;
use super::tiles::{GROUP, STRIDE, Tiles};

/// Share of the documents that may survive: rescoring one costs as much as some six in a blocked product.
const SHARE: usize = 6;

/// Survivors of a query that are never too many for the memory of a block of queries.
const MOST: usize = 1 << 14;

/// One block of queries and the documents of a chunk.
pub(super) struct Screening<'a> {
    pub kernel: Kernel,
    pub queries: &'a QueryBlock,
    pub tiles: &'a Tiles,
    /// Of each stride of documents.
    pub extents: &'a [Extent],
    pub documents: usize,
    /// Numbers of a row before padding.
    pub dimension: usize,
    pub depth: usize,
}

impl Screening<'_> {
    /// The survivors of each query in the given strides of documents.
    pub(super) fn survivors(&self, strides: Range<usize>, floors: &[f32]) -> Vec<Survivors> {
        let limit = (strides.len() * STRIDE / SHARE).min(MOST).max(4 * self.depth);
        let mut survivors: Vec<Survivors> =
            floors.iter().map(|&floor| Survivors::new(floor, self.depth)).collect();
        let mut thresholds = vec![[f32::INFINITY; GROUP]; self.queries.tiles.groups()];
        let mut errors = vec![0.0; floors.len()];
        let mut hits = Vec::new();
        for stride in strides {
            let slots = thresholds.as_flattened_mut().iter_mut().zip(&mut errors);
            for ((extent, survivors), (slot, error)) in self.queries.extents.iter().zip(&survivors).zip(slots)
            {
                *error = extent.error(self.extents[stride], self.dimension);
                *slot = survivors.threshold(*error);
            }
            let groups = stride * STRIDE / GROUP..(stride + 1) * STRIDE / GROUP;
            self.kernel.hits(&Operands::new(self.tiles, groups, &self.queries.tiles, &thresholds), &mut hits);
            for hit in hits.drain(..) {
                let document = stride * STRIDE + hit.document as usize;
                // Rows that fill up the last stride are no documents.
                if document < self.documents {
                    let query = hit.query as usize;
                    survivors[query].add(document as u32, hit.score, errors[query]);
                }
            }
            survivors.iter_mut().for_each(|survivors| survivors.select(self.depth, limit));
        }
        survivors.into_iter().map(|survivors| survivors.compact(self.depth)).collect()
    }
}

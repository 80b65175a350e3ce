//! Finds the best documents by inner product with most of the work in bf16, and gives exactly what f32 gives.
//!
//! Every pair is first **screened**: its score is computed from numbers rounded to bf16, on units that multiply them many
//! times as fast as f32. Only documents that may be among the best are **rescored** in f32, in the summation order of the
//! blocked product, so that scores have the same bits and the best documents are the same.
//!
//! # The error of a screened score
//!
//! Let q and d be the rows of a query and a document in f32, of n numbers; q̂ and d̂ the rows rounded to bf16; s the
//! screened score, the sum of the products q̂ᵢ·d̂ᵢ as the unit computes it; and e the score in f32, the sum of the products
//! qᵢ·dᵢ as the rescoring computes it. Then with u = 2⁻²⁴
//!
//! > |e − s| ≤ ‖q − q̂‖·‖d‖ + ‖q̂‖·‖d − d̂‖ + 4·(n + 64)·u·‖q̂‖₊·‖d̂‖₊ + 2⁻¹⁰⁰,
//!
//! where ‖q̂‖₊ = ‖q‖ + ‖q − q̂‖, and likewise for d. *Proof.* Write q·d for the exact sum.
//!
//! 1. q·d − q̂·d̂ = (q − q̂)·d + q̂·(d − d̂), and by Cauchy and Schwarz this is at most ‖q − q̂‖·‖d‖ + ‖q̂‖·‖d − d̂‖.
//! 2. e comes from n products and as many additions, with at most n + n/256 + 1 roundings on the way of any one product.
//!    By the standard bound (Higham, *Accuracy and Stability of Numerical Algorithms*, 3.1), whatever the order,
//!    |e − q·d| ≤ γ·Σ|qᵢ·dᵢ| ≤ γ·‖q‖·‖d‖, with γ = m·u/(1 − m·u) for m roundings.
//! 3. A product of two bf16 numbers has 16 significant bits and is exact in f32. The unit adds n' products, n rounded up to
//!    a multiple of 32 (the others are zero), in an order of its own, so that |s − q̂·d̂| ≤ γ·‖q̂‖·‖d̂‖ with m = n + 34.
//! 4. n ≤ 2¹⁵ makes m·u < 2⁻⁸, so the two γ together are below 2.1·(n + 64)·u. The factor 4 leaves as much again for units
//!    that round a sum twice or towards zero, and for the roundings of s − ε and of the thresholds below: 3·u of numbers
//!    that are no larger than ‖q̂‖₊·‖d̂‖₊ where a score is near its threshold, and elsewhere they decide nothing.
//! 5. The units take subnormal numbers for zero. The rounding here already makes them zero in q̂ and d̂ and counts the loss
//!    in ‖q − q̂‖. A sum or product below 2⁻¹²⁶ that becomes zero costs at most 2⁻¹²⁶, less than 4·n of them 2⁻¹⁰⁰.
//! 6. Norms are at most 2⁶⁰ (else the chunk is left to the product in f32), so that nothing overflows. ∎
//!
//! The residual x − x̂ of a number is exact in f32, because x̂ is x with fewer bits. Norms are computed in f32 in sixteen
//! running sums, at most n/16 + 16 roundings deep: their relative error is below 2⁻¹², and the error of a square that
//! underflows below 2⁻¹⁴⁸. [`Extent`](extent::Extent) takes each (1 + 2⁻⁸) times as large plus 2⁻⁶⁴, which also covers the
//! roundings of the bound itself.
//!
//! # Which documents are rescored
//!
//! Let ε(d) bound the error of the screened score s(d), here with the largest norms of the [`STRIDE`] documents around d.
//! A **floor** is a score that is certainly not above that of the k-th best document: the one that the caller gives, or
//! the k-th largest of all s(d) − ε(d) so far, as k documents have at least that. A document of the k best, ties
//! included, has e(d) ≥ floor, hence s(d) ≥ floor − ε(d). So a document below that is passed over, and survivors that a
//! later, higher floor excludes are dropped. Where rounding cannot tell documents apart (many equal rows, say), a query
//! would keep too many; it is then given up here and left to the product in f32.

pub(crate) mod exact;
mod extent;
pub(crate) mod kernel;
mod query_block;
mod rescore;
mod round;
mod stride;
mod survivors;
pub(crate) mod tiles;

use std::mem::take;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use mteb_measures::ranking::DocumentIds;
use rayon::prelude::*;

use crate::product::Block;
use extent::{Extent, LARGEST_DIMENSION};
use kernel::Kernel;
use query_block::QueryBlock;
use rescore::{Rescoring, Screened};
use stride::Screening;
use survivors::Survivors;
use tiles::{GROUP, STRIDE, Tiles};

/// Fewest queries that are worth the rounding of the documents.
const FEWEST_QUERIES: usize = GROUP;

/// Fewest and most queries that are screened together: enough work for every document that is fetched, and a block that
/// fits a core's cache.
const QUERIES: Range<usize> = 256..512;

/// Fewest documents that are worth their rounding.
const FEWEST_DOCUMENTS: usize = 4 * STRIDE;

/// Fewest strides of documents that are worth a task of their own.
const SEGMENT: usize = 32;

/// Queries, rounded.
#[derive(Clone, Debug)]
pub(crate) struct Screen {
    kernel: Kernel,
    /// Queries a block.
    length: usize,
    blocks: Vec<QueryBlock>,
    /// Memory for rounded documents, kept from chunk to chunk.
    memory: Arc<Mutex<Vec<u16>>>,
}

impl Screen {
    /// Rounds `queries`; `None` if the numbers are outside what the error bound covers.
    pub(crate) fn new(kernel: Kernel, queries: Block<'_>) -> Option<Self> {
        let Block { rows, dimension, .. } = queries;
        if dimension == 0 || dimension > LARGEST_DIMENSION {
            return None;
        }
        let length = queries.len().div_ceil(rayon::current_num_threads()).clamp(QUERIES.start, QUERIES.end);
        let length = length.next_multiple_of(2 * GROUP);
        let block = |rows: &[f32]| {
            let (tiles, extents) = Tiles::queries(rows, dimension);
            extents.iter().all(|extent| extent.is_finite()).then_some(QueryBlock { tiles, extents })
        };
        let blocks = rows.par_chunks(length * dimension).map(block).collect::<Option<_>>()?;
        Some(Self { kernel, length, blocks, memory: Arc::default() })
    }

    /// Whether screening is likely to be faster than a product in f32.
    pub(crate) fn pays(queries: usize, documents: usize, depth: usize, floors: &[f32]) -> bool {
        let few_survive = documents >= 4 * depth || floors.iter().all(|floor| floor.is_finite());
        queries >= FEWEST_QUERIES && documents >= FEWEST_DOCUMENTS && few_survive
    }

    /// The `depth` best documents of each query, largest (score, id) first, among those that reach its floor; `None` if
    /// the documents are outside what the error bound covers.
    pub(crate) fn best<I: DocumentIds + ?Sized>(
        &self,
        queries: Block<'_>,
        documents: Block<'_>,
        depth: usize,
        first: u32,
        ids: &I,
        floors: &[f32],
    ) -> Option<Vec<Screened>> {
        let memory = self.memory.lock().map(|mut memory| take(&mut *memory)).unwrap_or_default();
        let (tiles, extents) = Tiles::documents(documents.rows, documents.dimension, memory);
        let inside = extents.iter().all(|extent| extent.is_finite());
        let survivors = inside.then(|| self.survivors(&tiles, &extents, documents, depth, floors));
        if let Ok(mut memory) = self.memory.lock() {
            *memory = tiles.into_numbers();
        }
        let rescoring = Rescoring { queries, documents, depth, first, ids };
        let survivors: Vec<_> = survivors?.into_par_iter().map(|found| found.finish(depth)).collect();
        Some(rescoring.best(&survivors, floors))
    }

    /// The survivors of each query.
    fn survivors(
        &self,
        tiles: &Tiles,
        extents: &[Extent],
        documents: Block<'_>,
        depth: usize,
        floors: &[f32],
    ) -> Vec<Survivors> {
        let segment = segment_length(self.blocks.len(), extents.len(), depth);
        let segments = extents.len().div_ceil(segment);
        let parts: Vec<Vec<Survivors>> = (0..self.blocks.len() * segments)
            .into_par_iter()
            .map(|task| {
                let (block, start) = (task / segments, task % segments * segment);
                let screening = Screening {
                    kernel: self.kernel,
                    queries: &self.blocks[block],
                    tiles,
                    extents,
                    documents: documents.len(),
                    dimension: documents.dimension,
                    depth,
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

/// Strides of documents a task: few blocks of queries leave threads idle, so that the documents are divided as well, but
/// into parts from which few survive.
fn segment_length(blocks: usize, strides: usize, depth: usize) -> usize {
    let wanted = rayon::current_num_threads().div_ceil(blocks.max(1));
    strides.div_ceil(wanted).max(SEGMENT).max(4 * depth / STRIDE)
}

#[cfg(test)]
mod tests;

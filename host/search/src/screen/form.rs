//! What a form of rounded rows offers to the screening: documents, blocks of queries, and the
//! scores that reach their threshold.

use std::fmt::Debug;
use std::ops::Range;

use super::extent::Extent;

/// Documents that are screened together, between two looks at the thresholds: whole groups of every form.
pub(crate) const STRIDE: usize = 192;

/// Rows rounded to few bits, and a kernel that multiplies them.
pub(crate) trait Form: Copy + Debug + Send + Sync {
    /// Rounded documents, in strides of [`STRIDE`].
    type Documents: Sync;
    /// Rounded queries.
    type Queries: Clone + Debug + Send + Sync;
    /// What documents leave behind, to be used again by the next ones.
    type Memory: Default + Debug + Send;

    /// Fewest and most queries that are worth being screened together: enough work for every document that is fetched, and
    /// a block that fits a core's cache.
    fn together(self, dimension: usize) -> Range<usize>;

    /// Rounds documents of `dimension` numbers; gives the extent of each stride, too.
    fn documents(
        self,
        rows: &[f32],
        dimension: usize,
        memory: Self::Memory,
    ) -> (Self::Documents, Vec<Extent>);

    /// The memory of `documents`.
    fn memory(documents: Self::Documents) -> Self::Memory;

    /// Rounds queries of `dimension` numbers; gives the extent of each, too.
    fn queries(self, rows: &[f32], dimension: usize) -> (Self::Queries, Vec<Extent>);

    /// Places for queries, those that fill up included.
    fn places(queries: &Self::Queries) -> usize;

    /// A screened score of a query in the unit in which the kernel compares it.
    fn threshold(queries: &Self::Queries, query: usize, score: f32) -> f32;

    /// Adds to `found` every score of a document of the stride and a query that reaches the query's threshold, one of
    /// each place.
    ///
    /// The order is the kernel's own. Documents and queries that fill up count as zeros.
    fn hits(
        self,
        documents: &Self::Documents,
        stride: usize,
        queries: &Self::Queries,
        thresholds: &[f32],
        found: &mut Vec<Hit>,
    );
}

/// A score that reaches its threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hit {
    /// Counted from the first document of the stride.
    pub document: u32,
    /// Counted from the first query.
    pub query: u32,
    /// The inner product of the rounded rows.
    pub score: f32,
}

/// Rounded queries, with the extent of each.
#[derive(Clone, Debug)]
pub(super) struct QueryBlock<F: Form> {
    pub queries: F::Queries,
    pub extents: Vec<Extent>,
}

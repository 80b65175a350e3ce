//! What a form of rounded rows offers to the screening: documents, blocks of queries, and the
//! scores that reach their threshold; and upper bounds of a row's norm and of what rounding took
//! from it, from which the error of a score follows.

use std::fmt::Debug;
use std::ops::Range;

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

/// Norms above this are left to the product in f32, so that no sum overflows.
const LARGEST_NORM: f32 = (1u64 << 60) as f32;

/// Longest rows whose errors the slack below covers.
pub(super) const LARGEST_DIMENSION: usize = 1 << 15;

/// Relative slack of a norm: covers the rounding of the sum of squares and of everything computed from it.
const SLACK: f32 = 1.0 + 1.0 / 256.0;

/// Absolute slack of a norm, 2⁻⁶⁴: covers squares that underflow.
const LEAST: f32 = 1.0 / (1u128 << 64) as f32;

/// Absolute slack of a score, 2⁻¹⁰⁰: covers products and sums that underflow.
const LEAST_ERROR: f32 = 1.0 / (1u128 << 100) as f32;

/// Upper bounds of norms, of one row or of the largest of several.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Extent {
    /// ‖x‖; infinite if any number is not finite or too large.
    pub norm: f32,
    /// ‖x − bf16(x)‖.
    pub residual: f32,
}

impl Extent {
    /// From the sums of squares of a row and of its residuals, as computed in f32.
    pub(crate) fn new(squares: f32, residual_squares: f32) -> Self {
        let norm = |squares: f32| squares.sqrt() * SLACK + LEAST;
        let (norm, residual) = (norm(squares), norm(residual_squares));
        if norm <= LARGEST_NORM && residual <= LARGEST_NORM {
            Self { norm, residual }
        } else {
            Self { norm: f32::INFINITY, residual: f32::INFINITY }
        }
    }

    /// Bounds for the rows of both.
    pub(crate) fn max(self, other: Self) -> Self {
        Self { norm: self.norm.max(other.norm), residual: self.residual.max(other.residual) }
    }

    /// Whether the bounds hold: all numbers are finite and not too large.
    pub(super) fn is_finite(self) -> bool {
        self.norm <= LARGEST_NORM
    }

    /// The most by which a screened score of this row with a row of `other` differs from the score in f32.
    pub(crate) fn error(self, other: Self, dimension: usize) -> f32 {
        let rounding = 4.0 * (dimension + 64) as f32 * (f32::EPSILON / 2.0);
        let rounded = (self.norm + self.residual, other.norm + other.residual);
        self.residual * other.norm
            + rounded.0 * other.residual
            + rounding * rounded.0 * rounded.1
            + LEAST_ERROR
    }
}

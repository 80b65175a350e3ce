//! Sizes of the blocks in which products are summed.

/// Numbers of a row whose products the blocked product (`matrixmultiply`) sums in one go.
pub(crate) const RUN: usize = 256;

/// Rows that are scored together.
pub(crate) const ROWS: usize = 16;

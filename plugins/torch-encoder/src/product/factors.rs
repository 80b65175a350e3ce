//! The two factors of one step of a product.

use std::ops::Range;

use super::tiles::Tiles;

/// What is multiplied: rows, which hold the blocks `depth` alone, with some groups of columns.
pub(super) struct Factors<'a> {
    pub(super) rows: &'a Tiles,
    pub(super) columns: &'a Tiles,
    pub(super) depth: Range<usize>,
    pub(super) width: Range<usize>,
}

impl Factors<'_> {
    pub(super) fn row_group(&self, index: usize) -> &[u16] {
        self.rows.group(index, 0..self.depth.len())
    }

    pub(super) fn column_group(&self, index: usize) -> &[u16] {
        self.columns.group(index, self.depth.clone())
    }
}

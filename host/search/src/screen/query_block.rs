//! Queries that are screened together.

use super::extent::Extent;
use super::tiles::Tiles;

/// Queries that are screened together.
#[derive(Clone, Debug)]
pub(crate) struct QueryBlock {
    pub(super) tiles: Tiles,
    pub(super) extents: Vec<Extent>,
}

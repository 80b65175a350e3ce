//! Queries that are screened together.

use super::extent::Extent;
use super::form::Form;

/// Rounded queries, with the extent of each.
#[derive(Clone, Debug)]
pub(super) struct QueryBlock<F: Form> {
    pub queries: F::Queries,
    pub extents: Vec<Extent>,
}

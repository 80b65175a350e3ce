//! What a kernel multiplies.

use std::ops::Range;

use super::tiles::{GROUP, Tiles};

/// What is multiplied.
pub(crate) struct Operands<'a> {
    documents: &'a Tiles,
    /// Groups of documents; an even number.
    groups: Range<usize>,
    queries: &'a Tiles,
    /// The lowest wanted score of each query.
    thresholds: &'a [[f32; GROUP]],
}

impl<'a> Operands<'a> {
    /// The documents of `groups` with all `queries`; both sides have an even number of groups.
    pub(crate) fn new(
        documents: &'a Tiles,
        groups: Range<usize>,
        queries: &'a Tiles,
        thresholds: &'a [[f32; GROUP]],
    ) -> Self {
        assert!(groups.len().is_multiple_of(2) && queries.groups().is_multiple_of(2), "groups come in pairs");
        assert!(groups.end <= documents.groups() && thresholds.len() == queries.groups());
        assert_eq!(documents.blocks(), queries.blocks(), "both sides have the same dimension");
        Self { documents, groups, queries, thresholds }
    }

    pub(super) fn document_groups(&self) -> usize {
        self.groups.len()
    }

    pub(super) fn query_groups(&self) -> usize {
        self.queries.groups()
    }

    pub(super) fn documents(&self, group: usize) -> &[u16] {
        self.documents.group(self.groups.start + group)
    }

    pub(super) fn queries(&self, group: usize) -> &[u16] {
        self.queries.group(group)
    }

    pub(super) fn thresholds(&self, group: usize) -> &[f32; GROUP] {
        &self.thresholds[group]
    }

    /// Tiles a group.
    pub(super) fn blocks(&self) -> usize {
        self.queries.blocks()
    }
}

//! Approximate scores of documents and queries in bf16, on the units that processors have for them.

#[cfg(target_arch = "x86_64")]
mod amx;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod exact_avx512;
mod portable;
mod wide;

pub(crate) use wide::wide;

use std::ops::Range;

use super::exact::score;
use super::tiles::{GROUP, Tiles};

/// A unit that multiplies in bf16 and adds in f32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kernel {
    /// Tiles of x86-64.
    Amx,
    /// Vectors of x86-64.
    Avx512,
    /// Plain loops: slower than a product in f32, for comparison.
    #[cfg_attr(not(test), allow(dead_code, reason = "what the others are compared with"))]
    Portable,
}

/// A score that reaches its threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hit {
    /// Counted from the first document of the range.
    pub document: u32,
    /// Counted from the first query.
    pub query: u32,
    /// The sum of the products in bf16.
    pub score: f32,
}

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

    fn document_groups(&self) -> usize {
        self.groups.len()
    }

    fn query_groups(&self) -> usize {
        self.queries.groups()
    }

    fn documents(&self, group: usize) -> &[u16] {
        self.documents.group(self.groups.start + group)
    }

    fn queries(&self, group: usize) -> &[u16] {
        self.queries.group(group)
    }

    fn thresholds(&self, group: usize) -> &[f32; GROUP] {
        &self.thresholds[group]
    }

    /// Tiles a group.
    fn blocks(&self) -> usize {
        self.queries.blocks()
    }
}

impl Kernel {
    /// The fastest unit that this processor has; `None` if a product in f32 is faster.
    pub(crate) fn detect() -> Option<Self> {
        [Self::Amx, Self::Avx512].into_iter().find(|kernel| kernel.available())
    }

    /// Whether this processor can run it, and multiplies f32 as the rescoring does.
    pub(crate) fn available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return match self {
            Self::Amx => amx::available(),
            Self::Avx512 => avx512::available(),
            Self::Portable => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
        };
        #[cfg(not(target_arch = "x86_64"))]
        return false;
    }

    /// Adds to `found` every score of a document and a query that reaches the query's threshold.
    ///
    /// The order is the kernel's own. Documents and queries that fill up a group count as zeros.
    pub(crate) fn hits(self, operands: &Operands<'_>, found: &mut Vec<Hit>) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Amx => amx::hits(operands, found),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => avx512::hits(operands, found),
            _ => portable::hits(operands, found),
        }
    }
}

/// The inner products in f32 of `query` with sixteen rows that are as long.
pub(crate) fn scores_of_sixteen(query: &[f32], rows: &[&[f32]; GROUP]) -> [f32; GROUP] {
    #[cfg(target_arch = "x86_64")]
    if exact_avx512::available() {
        return exact_avx512::scores(query, rows);
    }
    rows.map(|row| score(query, row))
}

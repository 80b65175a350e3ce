//! The kernels that multiply whole numbers, which of them a processor can run, and the plain loops
//! that the others are compared with.

use super::GROUP;
use super::layout::{IntegerQueries, Stride};
use super::quantise::Width;
use crate::screen::form::Hit;

/// A unit that multiplies whole numbers of some bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IntegerKernel {
    /// Eight bits in vectors of 512 bits (AVX-512 with VNNI).
    Vnni8,
    /// Sixteen bits in the same.
    Vnni16,
    /// Sixteen bits in vectors of 256 bits (AVX2).
    Avx2,
    /// Eight bits in plain loops: what the others are compared with.
    #[cfg_attr(not(test), allow(dead_code, reason = "what the others are compared with"))]
    Portable8,
    /// Sixteen bits in plain loops.
    #[cfg_attr(not(test), allow(dead_code, reason = "what the others are compared with"))]
    Portable16,
}

impl IntegerKernel {
    /// Whether this processor can run it.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only kernels of x86-64 ask for it"))]
    pub(crate) fn available(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Vnni8 | Self::Vnni16 => super::vnni::available(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => super::avx2::available(),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Vnni8 | Self::Vnni16 | Self::Avx2 => false,
            Self::Portable8 | Self::Portable16 => true,
        }
    }

    pub(super) fn width(self) -> Width {
        match self {
            Self::Vnni8 | Self::Portable8 => Width::Eight,
            Self::Vnni16 | Self::Avx2 | Self::Portable16 => Width::Sixteen,
        }
    }

    /// Lines of queries that are multiplied together.
    pub(super) fn lines(self) -> usize {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Vnni8 | Self::Vnni16 => super::vnni::LINES,
            _ => 1,
        }
    }

    /// See [`Form::hits`](crate::screen::form::Form::hits).
    pub(super) fn multiply(
        self,
        documents: &Stride<'_>,
        queries: &IntegerQueries,
        thresholds: &[f32],
        found: &mut Vec<Hit>,
    ) {
        assert_eq!(thresholds.len(), queries.places(), "every place has a threshold");
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Vnni8 | Self::Vnni16 => super::vnni::hits(documents, queries, thresholds, found),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => super::avx2::hits(documents, queries, thresholds, found),
            _ => hits_in_plain_loops(documents, queries, thresholds, found),
        }
    }
}

/// See [`IntegerKernel::multiply`].
pub(super) fn hits_in_plain_loops(
    documents: &Stride<'_>,
    queries: &IntegerQueries,
    thresholds: &[f32],
    found: &mut Vec<Hit>,
) {
    for (index, group) in documents.groups().enumerate() {
        for document in 0..GROUP {
            for (query, &threshold) in thresholds.iter().enumerate() {
                let words = queries.query(query).zip(group.words);
                let product = words.fold(group.starts[document], |sum, (query, documents)| {
                    sum + queries.width().product(query, documents[document])
                });
                let compared = product as f32 * group.scales[document];
                if compared >= threshold {
                    let score = compared * queries.scale(query);
                    found.push(Hit {
                        document: (index * GROUP + document) as u32,
                        query: query as u32,
                        score,
                    });
                }
            }
        }
    }
}

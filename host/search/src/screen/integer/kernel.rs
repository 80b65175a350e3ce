//! The kernels that multiply whole numbers, and which of them a processor can run.

use super::documents::Stride;
use super::number::Width;
use super::queries::IntegerQueries;
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
    /// Eight bits in vectors of 128 bits (NEON with `sdot`).
    Neon8,
    /// Eight bits in plain loops: what the others are compared with.
    #[cfg_attr(not(test), allow(dead_code, reason = "what the others are compared with"))]
    Portable8,
    /// Sixteen bits in plain loops.
    #[cfg_attr(not(test), allow(dead_code, reason = "what the others are compared with"))]
    Portable16,
}

impl IntegerKernel {
    /// Whether this processor can run it.
    pub(crate) fn available(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Vnni8 | Self::Vnni16 => super::vnni::available(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => super::avx2::available(),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Vnni8 | Self::Vnni16 | Self::Avx2 => false,
            #[cfg(target_arch = "aarch64")]
            Self::Neon8 => super::neon::available(),
            #[cfg(not(target_arch = "aarch64"))]
            Self::Neon8 => false,
            Self::Portable8 | Self::Portable16 => true,
        }
    }

    pub(super) fn width(self) -> Width {
        match self {
            Self::Vnni8 | Self::Neon8 | Self::Portable8 => Width::Eight,
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
            #[cfg(target_arch = "aarch64")]
            Self::Neon8 => super::neon::hits(documents, queries, thresholds, found),
            _ => super::portable::hits(documents, queries, thresholds, found),
        }
    }
}

//! Approximate scores of documents and queries in bf16, on the units that processors have for them.

#[cfg(target_arch = "x86_64")]
mod amx;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod exact_avx512;
mod hit;
mod operands;
mod portable;
mod wide;

pub(crate) use hit::Hit;
pub(crate) use operands::Operands;
pub(crate) use wide::wide;

use super::exact::score;
use super::tiles::GROUP;

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

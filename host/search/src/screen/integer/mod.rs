//! Rows rounded to whole numbers of eight or sixteen bits, and the kernels that multiply them.
//!
//! A row x becomes a **scale** a and whole numbers z with |zᵢ| ≤ L, the nearest to xᵢ/a, so that x̂ = a·z. The product of
//! a query (a, z) with a document (b, y) is I = Σ zᵢ·yᵢ, a whole number, and q̂·d̂ = a·b·I.
//!
//! # What is exact, and what is rounded
//!
//! - I is exact: every kernel adds in 32 bits, and no sum leaves them. With eight bits L is 127 and a = max|xᵢ|/L. The
//!   units of x86-64 multiply numbers without a sign by numbers with one, so that a query is given as z + 128 and 128·Σyᵢ is
//!   taken off; the sums stay below 2¹⁵·255·127 < 2³¹ (n ≤ 2¹⁵).
//! - With sixteen bits L is 2¹⁵ − 1, and a is the larger of max|xᵢ|/L and ‖x‖/(46,300 − √n). Then ‖z‖ ≤ ‖x‖/a + √n/2 + 1
//!   is below √(2³¹ − 1) = 46,340.9, and by Cauchy and Schwarz the sum of any of the products is at most
//!   ‖z‖·‖y‖ < 2³¹. Bounding each number instead, by √((2³¹ − 1)/n), would lose almost two bits of usual rows, whose
//!   largest number is three or four times as large as their root mean square.
//! - The residual xᵢ − a·zᵢ is rounded once, as it is computed with a fused multiplication. [`Extent`] allows for more.
//! - The kernels compare fl(fl(I)·b) with fl(t/a), where t is the threshold of the score, and give fl(fl(fl(I)·b)·a). These
//!   are five roundings of numbers that near a threshold are no larger than ‖q̂‖·‖d̂‖: step 4 of [the proof](super) has
//!   room for them, as step 3 needs no γ here. A quotient that underflows errs by 2⁻¹⁴⁹ before, a·2⁻¹⁴⁹ ≤ ‖q‖·2⁻¹⁴⁹ after
//!   multiplication by a, which is less than ‖q‖ times the absolute slack of ‖d − d̂‖. One that overflows is larger than
//!   any score of a document whose norm is within the limit, so that passing over is right.
//! - A row whose largest number is below 2⁻⁶⁰ becomes zeros, and all of it counts as residual.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod documents;
mod kernel;
#[cfg(target_arch = "aarch64")]
mod neon;
mod number;
mod portable;
mod quantise;
mod queries;
#[cfg(target_arch = "x86_64")]
mod vnni;

pub(crate) use documents::IntegerDocuments;
pub(crate) use kernel::IntegerKernel;
pub(crate) use number::GROUP;
pub(crate) use queries::IntegerQueries;

use std::ops::Range;

use super::extent::Extent;
use super::form::{Form, Hit};

/// Bytes of queries that are screened together: a part of a core's cache.
const NEAR: usize = 320 << 10;

/// Fewest queries that are screened together.
const FEWEST: usize = 64;

/// Most queries that are screened together.
const MOST: usize = 512;

impl Form for IntegerKernel {
    type Documents = IntegerDocuments;
    type Queries = IntegerQueries;
    type Memory = Vec<u32>;

    fn together(self, dimension: usize) -> Range<usize> {
        let most = NEAR / (self.width().words(dimension) * size_of::<u32>());
        FEWEST..most.clamp(FEWEST, MOST)
    }

    fn documents(self, rows: &[f32], dimension: usize, memory: Vec<u32>) -> (IntegerDocuments, Vec<Extent>) {
        IntegerDocuments::new(self.width(), rows, dimension, memory)
    }

    fn memory(documents: IntegerDocuments) -> Vec<u32> {
        documents.into_words()
    }

    fn queries(self, rows: &[f32], dimension: usize) -> (IntegerQueries, Vec<Extent>) {
        IntegerQueries::new(self.width(), self.lines(), rows, dimension)
    }

    fn places(queries: &IntegerQueries) -> usize {
        queries.places()
    }

    fn threshold(queries: &IntegerQueries, query: usize, score: f32) -> f32 {
        score / queries.scale(query)
    }

    fn hits(
        self,
        documents: &IntegerDocuments,
        stride: usize,
        queries: &IntegerQueries,
        thresholds: &[f32],
        found: &mut Vec<Hit>,
    ) {
        self.multiply(&documents.stride(stride), queries, thresholds, found);
    }
}

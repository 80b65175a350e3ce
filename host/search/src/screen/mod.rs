//! Finds the best documents by inner product with most of the work in few bits, and gives exactly what f32 gives.
//!
//! Every pair is first **screened**: its score is computed from rows rounded to few bits, on units that multiply them many
//! times as fast as f32. Only documents that may be among the best are **rescored** in f32, in the summation order of the
//! blocked product, so that scores have the same bits and the best documents are the same.
//!
//! Rows are rounded to one of two [forms](form): to [bf16](bf16), for the tile unit of x86-64, or to [whole numbers](integer)
//! of eight or sixteen bits, for vectors. Which [kernels](kernel::Kernel) screen is decided at run time; a [ladder](Ladder) of
//! them leaves to the next one what one cannot tell apart.
//!
//! # The error of a screened score
//!
//! Let q and d be the rows of a query and a document in f32, of n numbers; q̂ and d̂ the rounded rows; s the screened score,
//! the product q̂·d̂ as the unit computes it; and e the score in f32, the sum of the products qᵢ·dᵢ as the rescoring computes
//! it. Then with u = 2⁻²⁴
//!
//! > |e − s| ≤ ‖q − q̂‖·‖d‖ + ‖q̂‖·‖d − d̂‖ + 4·(n + 64)·u·‖q̂‖₊·‖d̂‖₊ + 2⁻¹⁰⁰,
//!
//! where ‖q̂‖₊ = ‖q‖ + ‖q − q̂‖, and likewise for d. *Proof.* Write q·d for the exact sum.
//!
//! 1. q·d − q̂·d̂ = (q − q̂)·d + q̂·(d − d̂), and by Cauchy and Schwarz this is at most ‖q − q̂‖·‖d‖ + ‖q̂‖·‖d − d̂‖.
//! 2. e comes from n products and as many additions, with at most n + n/256 + 1 roundings on the way of any one product.
//!    By the standard bound (Higham, *Accuracy and Stability of Numerical Algorithms*, 3.1), whatever the order,
//!    |e − q·d| ≤ γ·Σ|qᵢ·dᵢ| ≤ γ·‖q‖·‖d‖, with γ = m·u/(1 − m·u) for m roundings.
//! 3. In bf16 a product of two numbers has 16 significant bits and is exact in f32. The unit adds n' products, n rounded up to
//!    a multiple of 32 (the others are zero), in an order of its own, so that |s − q̂·d̂| ≤ γ·‖q̂‖·‖d̂‖ with m = n + 34. The
//!    sum of products of whole numbers is exact; [what becomes of it](integer) is rounded a few times.
//! 4. n ≤ 2¹⁵ makes m·u < 2⁻⁸, so the two γ together are below 2.1·(n + 64)·u. The factor 4 leaves as much again for units
//!    that round a sum twice or towards zero, and for the roundings of s − ε and of the thresholds below: 8·u of numbers
//!    that are no larger than ‖q̂‖₊·‖d̂‖₊ where a score is near its threshold, and elsewhere they decide nothing.
//! 5. Units for bf16 take subnormal numbers for zero. The rounding here already makes them zero in q̂ and d̂ and counts the
//!    loss in ‖q − q̂‖. A sum or product below 2⁻¹²⁶ that becomes zero costs at most 2⁻¹²⁶, less than 4·n of them 2⁻¹⁰⁰.
//! 6. Norms are at most 2⁶⁰ (else the chunk is left to the product in f32), so that nothing overflows. ∎
//!
//! The residual x − x̂ of a number is rounded at most once in f32. Norms are computed in f32 in sixteen running sums, at most
//! n/16 + 16 roundings deep: their relative error is below 2⁻¹², and the error of a square that underflows below 2⁻¹⁴⁸.
//! [`Extent`](extent::Extent) takes each (1 + 2⁻⁸) times as large plus 2⁻⁶⁴, which also covers the roundings of the bound
//! itself.
//!
//! # Which documents are rescored
//!
//! Let ε(d) bound the error of the screened score s(d), here with the largest norms of the [`STRIDE`] documents around d.
//! A **floor** is a score that is certainly not above that of the k-th best document: the one that the caller gives, or
//! the k-th largest of all s(d) − ε(d) so far, as k documents have at least that. A document of the k best, ties
//! included, has e(d) ≥ floor, hence s(d) ≥ floor − ε(d). So a document below that is passed over, and survivors that a
//! later, higher floor excludes are dropped. Of the survivors the k with the largest s(d) − ε(d) are rescored first; the
//! least of their scores in f32 is a floor without any ε, which excludes more of the others. Where the others are few, all
//! are rescored at once.
//!
//! Where rounding cannot tell documents apart (many equal rows, say), a query would keep too many; it is then given up and
//! left to a form of more bits, or at last to the product in f32.

mod bf16;
pub(crate) mod exact;
mod extent;
mod form;
mod integer;
pub(crate) mod kernel;
mod ladder;
mod pass;
mod rescore;
mod survivors;
mod wanted_scores;

pub(crate) use form::STRIDE;
pub(crate) use ladder::Ladder;

#[cfg(test)]
mod tests;

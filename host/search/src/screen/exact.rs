//! Scores of single pairs in f32, to the last digit those of the blocked product.

use super::kernel::scores_of_sixteen;
use super::tiles::GROUP;

/// Numbers of a row whose products the blocked product (`matrixmultiply`) sums in one go.
pub(crate) const RUN: usize = 256;

/// Calls `take` with each of `documents` and its inner product with `query`, in order.
///
/// `row` gives a document's numbers, as many as `query` has.
pub(crate) fn rescore<'a>(
    query: &[f32],
    documents: &[u32],
    row: impl Fn(u32) -> &'a [f32],
    mut take: impl FnMut(u32, f32),
) {
    for group in documents.chunks(GROUP) {
        // A group that is not full repeats its first document.
        let rows = std::array::from_fn(|place| row(*group.get(place).unwrap_or(&group[0])));
        let scores = scores_of_sixteen(query, &rows);
        group.iter().zip(scores).for_each(|(&document, score)| take(document, score));
    }
}

/// The inner product of one pair: runs of [`RUN`] numbers, each summed from its start with fused multiplications and
/// additions, and the sums of the runs added in order.
pub(crate) fn score(query: &[f32], document: &[f32]) -> f32 {
    let runs = query.chunks(RUN).zip(document.chunks(RUN));
    let sums = runs.map(|(left, right)| left.iter().zip(right).fold(0.0, |sum, (&x, &y)| f32::mul_add(x, y, sum)));
    sums.reduce(|sum, run| sum + run).unwrap_or(0.0)
}

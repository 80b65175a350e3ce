//! Scores of single pairs in f32, to the last digit those of the blocked product.

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
mod interleaved;
#[cfg(target_arch = "aarch64")]
mod neon;

pub(crate) use crate::product::{ROWS, RUN};
pub(crate) use interleaved::{InterleavedRows, PAIRS};

/// The inner product of one pair: runs of [`RUN`] numbers, each summed from its start with fused multiplications and
/// additions, and the sums of the runs added in order.
#[cfg_attr(
    all(target_arch = "aarch64", not(test)),
    expect(dead_code, reason = "what the others are compared with")
)]
pub(crate) fn score(query: &[f32], document: &[f32]) -> f32 {
    let runs = query.chunks(RUN).zip(document.chunks(RUN));
    let sums =
        runs.map(|(left, right)| left.iter().zip(right).fold(0.0, |sum, (&x, &y)| f32::mul_add(x, y, sum)));
    sums.reduce(|sum, run| sum + run).unwrap_or(0.0)
}

/// The inner products in f32 of `query` with sixteen rows that are as long.
pub(crate) fn scores_of_sixteen(query: &[f32], rows: &[&[f32]; ROWS]) -> [f32; ROWS] {
    #[cfg(target_arch = "x86_64")]
    if avx512::available() {
        return avx512::scores(query, rows);
    } else if avx2::available() {
        return avx2::scores(query, rows);
    }
    #[cfg(target_arch = "aarch64")]
    return neon::scores(query, rows);
    #[cfg(not(target_arch = "aarch64"))]
    rows.map(|row| score(query, row))
}

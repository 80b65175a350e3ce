//! Sixteen inner products in f32 at a time with NEON, each summed in the order of [`super::score`].
#![allow(unsafe_code, reason = "vector instructions that the compiler does not choose by itself")]

use std::arch::aarch64::*;

use super::{ROWS, RUN};

/// Numbers in a vector, and numbers of a row that are turned from rows into columns together.
const LANES: usize = 4;

/// Sums of all rows.
type Sums = [float32x4_t; ROWS / LANES];

/// The inner product of `query` with each of `rows`, which are as long.
pub(crate) fn scores(query: &[f32], rows: &[&[f32]; ROWS]) -> [f32; ROWS] {
    assert!(rows.iter().all(|row| row.len() == query.len()), "rows are as long as the query");
    // SAFETY: every processor of this architecture has NEON.
    unsafe { scores_with_features(query, rows) }
}

#[target_feature(enable = "neon")]
fn scores_with_features(query: &[f32], rows: &[&[f32]; ROWS]) -> [f32; ROWS] {
    let mut totals: Sums = [vdupq_n_f32(0.0); ROWS / LANES];
    for start in (0..query.len()).step_by(RUN) {
        let end = (start + RUN).min(query.len());
        let run = sums_of_run(query, rows, start, end);
        for (total, run) in totals.iter_mut().zip(run) {
            *total = if start == 0 { run } else { vaddq_f32(*total, run) };
        }
    }
    let mut scores = [0.0; ROWS];
    for (scores, total) in scores.as_chunks_mut::<LANES>().0.iter_mut().zip(totals) {
        // SAFETY: the slot has four numbers.
        unsafe { vst1q_f32(scores.as_mut_ptr(), total) };
    }
    scores
}

/// The sums over the numbers `start..end`, one document per lane; all rows are as long as the query.
#[target_feature(enable = "neon")]
fn sums_of_run(query: &[f32], rows: &[&[f32]; ROWS], start: usize, end: usize) -> Sums {
    let mut sums: Sums = [vdupq_n_f32(0.0); ROWS / LANES];
    let whole = start + (end - start) / LANES * LANES;
    for place in (start..whole).step_by(LANES) {
        for (sum, rows) in sums.iter_mut().zip(rows.as_chunks::<LANES>().0) {
            // SAFETY: all rows are as long as the query, in which `end` lies.
            let columns = unsafe { columns(rows, place) };
            for (column, &number) in columns.into_iter().zip(&query[place..place + LANES]) {
                *sum = vfmaq_n_f32(*sum, column, number);
            }
        }
    }
    for place in whole..end {
        for (sum, rows) in sums.iter_mut().zip(rows.as_chunks::<LANES>().0) {
            let column: [f32; LANES] = std::array::from_fn(|row| rows[row][place]);
            // SAFETY: the array has four numbers.
            let column = unsafe { vld1q_f32(column.as_ptr()) };
            *sum = vfmaq_n_f32(*sum, column, query[place]);
        }
    }
    sums
}

/// The numbers `place..place + 4` of all rows: four vectors of four rows.
///
/// # Safety
/// Every row has at least `place + 4` numbers. A check of each would cost as much as the work.
#[target_feature(enable = "neon")]
unsafe fn columns(rows: &[&[f32]; LANES], place: usize) -> [float32x4_t; LANES] {
    // SAFETY: the caller's rows have at least `place + 4` numbers.
    let [a, b, c, d] = rows.map(|row| unsafe { vld1q_f32(row.as_ptr().add(place)) });
    let even = |left, right| vreinterpretq_f64_f32(vtrn1q_f32(left, right));
    let odd = |left, right| vreinterpretq_f64_f32(vtrn2q_f32(left, right));
    let halves = [(even(a, b), even(c, d)), (odd(a, b), odd(c, d))];
    let [(first, third), (second, fourth)] =
        halves.map(|(left, right)| (vtrn1q_f64(left, right), vtrn2q_f64(left, right)));
    [first, second, third, fourth].map(|column| vreinterpretq_f32_f64(column))
}

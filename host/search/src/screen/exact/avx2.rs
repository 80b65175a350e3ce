//! Sixteen inner products in f32 at a time with AVX2, each summed in the order of [`super::score`].
#![allow(unsafe_code, reason = "vector instructions that the compiler does not choose by itself")]

use std::arch::x86_64::*;

use super::{ROWS, RUN};

/// Numbers of a row that are turned from rows into columns together.
const FOUR: usize = 4;

/// Numbers in a vector.
const LANES: usize = 8;

/// Sums of all rows.
type Sums = [__m256; ROWS / LANES];

/// Whether the processor has the instructions.
pub(crate) fn available() -> bool {
    crate::processor::has_avx2()
}

/// The inner product of `query` with each of `rows`, which are as long.
pub(crate) fn scores(query: &[f32], rows: &[&[f32]; ROWS]) -> [f32; ROWS] {
    assert!(available(), "AVX2 is there");
    assert!(rows.iter().all(|row| row.len() == query.len()), "rows are as long as the query");
    // SAFETY: the processor has the features.
    unsafe { scores_with_features(query, rows) }
}

#[target_feature(enable = "avx2,fma")]
fn scores_with_features(query: &[f32], rows: &[&[f32]; ROWS]) -> [f32; ROWS] {
    let mut totals: Sums = [_mm256_setzero_ps(); ROWS / LANES];
    for start in (0..query.len()).step_by(RUN) {
        let end = (start + RUN).min(query.len());
        let run = sums_of_run(query, rows, start, end);
        for (total, run) in totals.iter_mut().zip(run) {
            *total = if start == 0 { run } else { _mm256_add_ps(*total, run) };
        }
    }
    let mut scores = [0.0; ROWS];
    for (scores, total) in scores.as_chunks_mut::<LANES>().0.iter_mut().zip(totals) {
        // SAFETY: the slot has eight numbers.
        unsafe { _mm256_storeu_ps(scores.as_mut_ptr(), total) };
    }
    scores
}

/// The sums over the numbers `start..end`, one document per lane; all rows are as long as the query.
#[target_feature(enable = "avx2,fma")]
fn sums_of_run(query: &[f32], rows: &[&[f32]; ROWS], start: usize, end: usize) -> Sums {
    let mut sums: Sums = [_mm256_setzero_ps(); ROWS / LANES];
    let whole = start + (end - start) / FOUR * FOUR;
    for place in (start..whole).step_by(FOUR) {
        for (sum, rows) in sums.iter_mut().zip(rows.as_chunks::<LANES>().0) {
            // SAFETY: all rows are as long as the query, in which `end` lies.
            let columns = unsafe { columns(rows, place) };
            for (column, &number) in columns.into_iter().zip(&query[place..place + FOUR]) {
                *sum = _mm256_fmadd_ps(column, _mm256_set1_ps(number), *sum);
            }
        }
    }
    for place in whole..end {
        for (sum, rows) in sums.iter_mut().zip(rows.as_chunks::<LANES>().0) {
            let column: [f32; LANES] = std::array::from_fn(|row| rows[row][place]);
            // SAFETY: the array has eight numbers.
            let column = unsafe { _mm256_loadu_ps(column.as_ptr()) };
            *sum = _mm256_fmadd_ps(column, _mm256_set1_ps(query[place]), *sum);
        }
    }
    sums
}

/// The numbers `place..place + 4` of all rows: four vectors of eight rows.
///
/// # Safety
/// Every row has at least `place + 4` numbers. A check of each would cost as much as the work.
#[target_feature(enable = "avx2,fma")]
unsafe fn columns(rows: &[&[f32]; LANES], place: usize) -> [__m256; FOUR] {
    // Half h of vector i holds four numbers of row 4h + i.
    let vector = |first: usize| {
        let four = |row: usize| {
            // SAFETY: the caller's rows have at least `place + 4` numbers.
            unsafe { _mm_loadu_ps(rows[row].as_ptr().add(place)) }
        };
        _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(four(first)), four(first + FOUR))
    };
    let (a, b, c, d) = (vector(0), vector(1), vector(2), vector(3));
    let (ab, cd) = (_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d));
    let (ab_high, cd_high) = (_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d));
    let pairs = |left: __m256, right: __m256| {
        let (left, right) = (_mm256_castps_pd(left), _mm256_castps_pd(right));
        [_mm256_unpacklo_pd(left, right), _mm256_unpackhi_pd(left, right)].map(|half| _mm256_castpd_ps(half))
    };
    let ([first, second], [third, fourth]) = (pairs(ab, cd), pairs(ab_high, cd_high));
    [first, second, third, fourth]
}

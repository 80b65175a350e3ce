//! Sixteen inner products in f32 at a time, each summed in the order of [`crate::screen::exact::score`].
#![allow(unsafe_code, reason = "vector instructions that the compiler does not choose by itself")]

use std::arch::x86_64::*;

use crate::screen::exact::RUN;
use crate::screen::tiles::GROUP;

/// Numbers of a row that are turned from rows into columns together.
const FOUR: usize = 4;

/// Whether the processor has the instructions.
pub(super) fn available() -> bool {
    is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq")
}

/// The inner product of `query` with each of `rows`, which are as long.
pub(super) fn scores(query: &[f32], rows: &[&[f32]; GROUP]) -> [f32; GROUP] {
    assert!(available(), "AVX-512 is there");
    assert!(rows.iter().all(|row| row.len() == query.len()), "rows are as long as the query");
    // SAFETY: the processor has the features.
    unsafe { scores_with_features(query, rows) }
}

#[target_feature(enable = "avx512f,avx512dq")]
fn scores_with_features(query: &[f32], rows: &[&[f32]; GROUP]) -> [f32; GROUP] {
    let mut total = _mm512_setzero_ps();
    for start in (0..query.len()).step_by(RUN) {
        let end = (start + RUN).min(query.len());
        let run = sum_of_run(query, rows, start, end);
        total = if start == 0 { run } else { _mm512_add_ps(total, run) };
    }
    let mut scores = [0.0; GROUP];
    // SAFETY: the array has sixteen numbers.
    unsafe { _mm512_storeu_ps(scores.as_mut_ptr(), total) };
    scores
}

/// The sums over the numbers `start..end`, a document a lane; all rows are as long as the query.
#[target_feature(enable = "avx512f,avx512dq")]
fn sum_of_run(query: &[f32], rows: &[&[f32]; GROUP], start: usize, end: usize) -> __m512 {
    let mut sum = _mm512_setzero_ps();
    let whole = start + (end - start) / FOUR * FOUR;
    for place in (start..whole).step_by(FOUR) {
        // SAFETY: all rows are as long as the query, in which `end` lies.
        let columns = unsafe { columns(rows, place) };
        for (column, &number) in columns.into_iter().zip(&query[place..place + FOUR]) {
            sum = _mm512_fmadd_ps(column, _mm512_set1_ps(number), sum);
        }
    }
    for place in whole..end {
        let column: [f32; GROUP] = std::array::from_fn(|row| rows[row][place]);
        // SAFETY: the array has sixteen numbers.
        let column = unsafe { _mm512_loadu_ps(column.as_ptr()) };
        sum = _mm512_fmadd_ps(column, _mm512_set1_ps(query[place]), sum);
    }
    sum
}

/// The numbers `place..place + 4` of all rows: four vectors of sixteen rows.
///
/// # Safety
/// Every row has at least `place + 4` numbers. A check of each would cost as much as the work.
#[target_feature(enable = "avx512f,avx512dq")]
unsafe fn columns(rows: &[&[f32]; GROUP], place: usize) -> [__m512; FOUR] {
    // Lane l of vector i holds four numbers of row 4l + i.
    let vector = |first: usize| {
        let four = |row: usize| {
            // SAFETY: the caller's rows have at least `place + 4` numbers.
            unsafe { _mm_loadu_ps(rows[row].as_ptr().add(place)) }
        };
        let vector = _mm512_castps128_ps512(four(first));
        let vector = _mm512_insertf32x4::<1>(vector, four(first + 4));
        let vector = _mm512_insertf32x4::<2>(vector, four(first + 8));
        _mm512_insertf32x4::<3>(vector, four(first + 12))
    };
    let (a, b, c, d) = (vector(0), vector(1), vector(2), vector(3));
    let (ab, cd) = (_mm512_unpacklo_ps(a, b), _mm512_unpacklo_ps(c, d));
    let (ab_high, cd_high) = (_mm512_unpackhi_ps(a, b), _mm512_unpackhi_ps(c, d));
    let pairs = |left: __m512, right: __m512| {
        let (left, right) = (_mm512_castps_pd(left), _mm512_castps_pd(right));
        [_mm512_unpacklo_pd(left, right), _mm512_unpackhi_pd(left, right)].map(|half| _mm512_castpd_ps(half))
    };
    let ([first, second], [third, fourth]) = (pairs(ab, cd), pairs(ab_high, cd_high));
    [first, second, third, fourth]
}

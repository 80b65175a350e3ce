//! Sixteen inner products in f32 at a time, each summed in the order of [`super::score`].
#![allow(unsafe_code, reason = "vector instructions that the compiler does not choose by itself")]

use std::arch::x86_64::*;
use std::ops::Range;

use super::{ROWS, RUN};

/// Numbers of a row that are turned from rows into columns together.
const FOUR: usize = 4;

/// Whether the processor has the instructions.
pub(crate) fn available() -> bool {
    crate::processor::has_avx512()
}

/// The inner product of `query` with each of `rows`, which are as long.
pub(crate) fn scores(query: &[f32], rows: &[&[f32]; ROWS]) -> [f32; ROWS] {
    assert!(available(), "AVX-512 is there");
    assert!(rows.iter().all(|row| row.len() == query.len()), "rows are as long as the query");
    // SAFETY: the processor has the features.
    unsafe { scores_with_features(query, rows) }
}

#[target_feature(enable = "avx512f,avx512dq")]
fn scores_with_features(query: &[f32], rows: &[&[f32]; ROWS]) -> [f32; ROWS] {
    let mut total = _mm512_setzero_ps();
    for start in (0..query.len()).step_by(2 * RUN) {
        let [first, second] = sums_of_runs(query, rows, start);
        total = if start == 0 { first } else { _mm512_add_ps(total, first) };
        if start + RUN < query.len() {
            total = _mm512_add_ps(total, second);
        }
    }
    let mut scores = [0.0; ROWS];
    // SAFETY: the array has sixteen numbers.
    unsafe { _mm512_storeu_ps(scores.as_mut_ptr(), total) };
    scores
}

/// The sums over the two runs from `start`, one document per lane; all rows are as long as the query. The two are computed side by
/// side, as an addition takes longer than what comes between two of a run.
#[target_feature(enable = "avx512f,avx512dq")]
fn sums_of_runs(query: &[f32], rows: &[&[f32]; ROWS], start: usize) -> [__m512; 2] {
    let middle = (start + RUN).min(query.len());
    let end = (middle + RUN).min(query.len());
    let both = (end - middle) / FOUR * FOUR;
    let mut sums = [_mm512_setzero_ps(); 2];
    for place in (0..both).step_by(FOUR) {
        // SAFETY: all rows are as long as the query, in which `end` lies, and the second run is no longer than the first.
        let (first, second) = unsafe { (columns(rows, start + place), columns(rows, middle + place)) };
        sums[0] = add(sums[0], first, query, start + place);
        sums[1] = add(sums[1], second, query, middle + place);
    }
    [
        rest_of_run(sums[0], query, rows, start + both..middle),
        rest_of_run(sums[1], query, rows, middle + both..end),
    ]
}

/// Adds the numbers `range` to the sums of a run.
#[target_feature(enable = "avx512f,avx512dq")]
fn rest_of_run(mut sum: __m512, query: &[f32], rows: &[&[f32]; ROWS], range: Range<usize>) -> __m512 {
    let whole = range.start + range.len() / FOUR * FOUR;
    for place in (range.start..whole).step_by(FOUR) {
        // SAFETY: all rows are as long as the query, in which the range lies.
        sum = add(sum, unsafe { columns(rows, place) }, query, place);
    }
    for place in whole..range.end {
        let column: [f32; ROWS] = std::array::from_fn(|row| rows[row][place]);
        // SAFETY: the array has sixteen numbers.
        let column = unsafe { _mm512_loadu_ps(column.as_ptr()) };
        sum = _mm512_fmadd_ps(column, _mm512_set1_ps(query[place]), sum);
    }
    sum
}

/// Adds four columns, from `place` on, to the sums of a run.
#[target_feature(enable = "avx512f,avx512dq")]
fn add(sum: __m512, columns: [__m512; FOUR], query: &[f32], place: usize) -> __m512 {
    columns
        .into_iter()
        .zip(&query[place..place + FOUR])
        .fold(sum, |sum, (column, &number)| _mm512_fmadd_ps(column, _mm512_set1_ps(number), sum))
}

/// The numbers `place..place + 4` of all rows: four vectors of sixteen rows.
///
/// # Safety
/// Every row has at least `place + 4` numbers. A check of each would cost as much as the work.
#[target_feature(enable = "avx512f,avx512dq")]
unsafe fn columns(rows: &[&[f32]; ROWS], place: usize) -> [__m512; FOUR] {
    // Quarter l of vector i holds four numbers of row 4l + i. They are copied to all quarters and kept in one, which takes no
    // turn of the unit that moves numbers between quarters.
    let vector = |first: usize| {
        let four = |row: usize| {
            // SAFETY: the caller's rows have at least `place + 4` numbers.
            unsafe { _mm_loadu_ps(rows[row].as_ptr().add(place)) }
        };
        let vector = _mm512_castps128_ps512(four(first));
        let vector = _mm512_mask_broadcast_f32x4(vector, 0x00f0, four(first + 4));
        let vector = _mm512_mask_broadcast_f32x4(vector, 0x0f00, four(first + 8));
        _mm512_mask_broadcast_f32x4(vector, 0xf000, four(first + 12))
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

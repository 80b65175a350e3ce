//! Products of whole numbers of sixteen bits with AVX2 (`vpmaddwd`): four documents with sixteen queries at a time.
#![allow(unsafe_code, reason = "vector instructions that the compiler does not choose by itself")]

use std::arch::x86_64::*;

use super::GROUP;
use super::layout::{Group, IntegerQueries, LINE, Line, Stride};
use crate::screen::form::Hit;

/// Documents whose sums are kept in registers at the same time: with a line of queries, eight of the sixteen registers.
const DOCUMENTS: usize = 4;

/// Vectors in a line of queries.
const VECTORS: usize = 2;

/// Queries in a vector.
const LANES: usize = LINE / VECTORS;

/// Sums of products, one row per document.
type Sums = [[__m256i; VECTORS]; DOCUMENTS];

/// Whether the processor has the instructions.
pub(super) fn available() -> bool {
    crate::processor::has_avx2()
}

/// See [`super::IntegerKernel::multiply`].
pub(super) fn hits(
    documents: &Stride<'_>,
    queries: &IntegerQueries,
    thresholds: &[f32],
    found: &mut Vec<Hit>,
) {
    assert!(available(), "AVX2 is there");
    // SAFETY: the processor has the features.
    unsafe { hits_with_features(documents, queries, thresholds, found) }
}

#[target_feature(enable = "avx2,fma")]
fn hits_with_features(
    documents: &Stride<'_>,
    queries: &IntegerQueries,
    thresholds: &[f32],
    found: &mut Vec<Hit>,
) {
    for (index, group) in documents.groups().enumerate() {
        let panels = queries.panels::<1>().zip(thresholds.as_chunks::<LINE>().0);
        for (panel, (words, thresholds)) in panels.enumerate() {
            for part in 0..GROUP / DOCUMENTS {
                let sums = multiply(group.words, part, words);
                let place = (index * GROUP, panel * LINE);
                select(&sums, part, &group, thresholds, |document, query, compared| {
                    let (document, query) = (place.0 + document, place.1 + query);
                    let score = compared * queries.scale(query);
                    found.push(Hit { document: document as u32, query: query as u32, score });
                });
            }
        }
    }
}

/// The sums of the products of a part of a group of documents with a panel of queries.
#[target_feature(enable = "avx2,fma")]
fn multiply(documents: &[[u32; GROUP]], part: usize, queries: &[[Line; 1]]) -> Sums {
    let mut sums = [[_mm256_setzero_si256(); VECTORS]; DOCUMENTS];
    for (documents, [queries]) in documents.iter().zip(queries) {
        let queries = load(queries);
        let documents = &documents.as_chunks::<DOCUMENTS>().0[part];
        for (&word, sums) in documents.iter().zip(&mut sums) {
            let word = _mm256_set1_epi32(word.cast_signed());
            for (&queries, sum) in queries.iter().zip(sums) {
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(queries, word));
            }
        }
    }
    sums
}

#[target_feature(enable = "avx2,fma")]
fn load(line: &Line) -> [__m256i; VECTORS] {
    let first: *const __m256i = std::ptr::from_ref(line).cast();
    // SAFETY: a line has 64 bytes, two vectors, and starts at a multiple of 64.
    unsafe { [_mm256_load_si256(first), _mm256_load_si256(first.add(1))] }
}

/// Gives every score that reaches its threshold to `hit`: its document and query, counted from the first of each, and the
/// score as it was compared.
#[target_feature(enable = "avx2,fma")]
fn select(
    sums: &Sums,
    part: usize,
    group: &Group<'_>,
    thresholds: &[f32; LINE],
    mut hit: impl FnMut(usize, usize, f32),
) {
    let thresholds = thresholds.as_chunks::<LANES>().0;
    for (document, sums) in (part * DOCUMENTS..).zip(sums) {
        let scale = _mm256_set1_ps(group.scales[document]);
        for (vector, (&sums, thresholds)) in sums.iter().zip(thresholds).enumerate() {
            let compared = _mm256_mul_ps(_mm256_cvtepi32_ps(sums), scale);
            // SAFETY: the array has eight numbers.
            let wanted = unsafe { _mm256_loadu_ps(thresholds.as_ptr()) };
            let mut lanes = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GE_OQ>(compared, wanted));
            if lanes == 0 {
                continue;
            }
            let mut values = [0.0; LANES];
            // SAFETY: as above.
            unsafe { _mm256_storeu_ps(values.as_mut_ptr(), compared) };
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                hit(document, vector * LANES + lane, values[lane]);
            }
        }
    }
}

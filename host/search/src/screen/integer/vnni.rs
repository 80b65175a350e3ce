//! Products of whole numbers with AVX-512 and VNNI (`vpdpbusd`, `vpdpwssd`): twelve documents with 32 queries at a time.
#![allow(unsafe_code, reason = "vector instructions that the compiler does not choose by itself")]

use std::arch::x86_64::*;

use super::GROUP;
use super::layout::{Group, IntegerQueries, LINE, Line, Stride};
use super::quantise::Width;
use crate::screen::form::Hit;

/// Lines of queries whose sums are kept in registers at the same time: with twelve documents, 24 of the 32
/// registers.
pub(super) const LINES: usize = 2;

/// Sums of products, one row per document.
type Sums = [[__m512i; LINES]; GROUP];

/// Whether the processor has the instructions.
pub(super) fn available() -> bool {
    crate::processor::has_avx512_vnni()
}

/// See [`super::IntegerKernel::multiply`].
pub(super) fn hits(
    documents: &Stride<'_>,
    queries: &IntegerQueries,
    thresholds: &[f32],
    found: &mut Vec<Hit>,
) {
    assert!(available(), "AVX-512 with VNNI is there");
    // SAFETY: the processor has the features.
    match queries.width() {
        Width::Eight => unsafe { hits_with_features::<true>(documents, queries, thresholds, found) },
        Width::Sixteen => unsafe { hits_with_features::<false>(documents, queries, thresholds, found) },
    }
}

#[target_feature(enable = "avx512f,avx512vnni")]
fn hits_with_features<const EIGHT: bool>(
    documents: &Stride<'_>,
    queries: &IntegerQueries,
    thresholds: &[f32],
    found: &mut Vec<Hit>,
) {
    let thresholds = thresholds.as_chunks::<LINE>().0.as_chunks::<LINES>().0;
    for (panel, (words, thresholds)) in queries.panels::<LINES>().zip(thresholds).enumerate() {
        for (index, group) in documents.groups().enumerate() {
            let sums = multiply::<EIGHT>(group.words, words, group.starts);
            let place = (index * GROUP, panel * LINES * LINE);
            select(&sums, &group, thresholds, |document, query, compared| {
                let (document, query) = (place.0 + document, place.1 + query);
                let score = compared * queries.scale(query);
                found.push(Hit { document: document as u32, query: query as u32, score });
            });
        }
    }
}

/// The sums of the products of a group of documents with a panel of queries.
#[target_feature(enable = "avx512f,avx512vnni")]
fn multiply<const EIGHT: bool>(
    documents: &[[u32; GROUP]],
    queries: &[[Line; LINES]],
    starts: &[i32; GROUP],
) -> Sums {
    let mut sums = starts.map(|start| [_mm512_set1_epi32(start); LINES]);
    for (documents, queries) in documents.iter().zip(queries) {
        let queries = [load(&queries[0]), load(&queries[1])];
        for (&word, sums) in documents.iter().zip(&mut sums) {
            let word = _mm512_set1_epi32(word.cast_signed());
            for (&queries, sum) in queries.iter().zip(sums) {
                *sum = if EIGHT {
                    _mm512_dpbusd_epi32(*sum, queries, word)
                } else {
                    _mm512_dpwssd_epi32(*sum, queries, word)
                };
            }
        }
    }
    sums
}

#[target_feature(enable = "avx512f")]
fn load(line: &Line) -> __m512i {
    // SAFETY: a line has 64 bytes and starts at a multiple of 64.
    unsafe { _mm512_load_si512(std::ptr::from_ref(line).cast()) }
}

/// Gives every score that reaches its threshold to `hit`: its document and query, counted from the first of each, and the
/// score as it was compared.
#[target_feature(enable = "avx512f")]
fn select(
    sums: &Sums,
    group: &Group<'_>,
    thresholds: &[[f32; LINE]; LINES],
    mut hit: impl FnMut(usize, usize, f32),
) {
    for (document, sums) in sums.iter().enumerate() {
        let scale = _mm512_set1_ps(group.scales[document]);
        for (line, (&sums, thresholds)) in sums.iter().zip(thresholds).enumerate() {
            let compared = _mm512_mul_ps(_mm512_cvtepi32_ps(sums), scale);
            // SAFETY: the array has sixteen numbers.
            let wanted = unsafe { _mm512_loadu_ps(thresholds.as_ptr()) };
            let mut lanes = _mm512_cmp_ps_mask::<_CMP_GE_OQ>(compared, wanted);
            if lanes == 0 {
                continue;
            }
            let mut values = [0.0; LINE];
            // SAFETY: as above.
            unsafe { _mm512_storeu_ps(values.as_mut_ptr(), compared) };
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                hit(document, line * LINE + lane, values[lane]);
            }
        }
    }
}

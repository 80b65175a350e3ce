//! Products with AVX-512 (`vdpbf16ps`), and the choice of the scores that reach their threshold.
#![allow(unsafe_code, reason = "vector instructions that the compiler does not choose by itself")]

use std::arch::x86_64::*;

use super::hit::Hit;
use super::operands::Operands;
use crate::screen::tiles::{BLOCK, GROUP};

/// Documents whose sums are kept in registers at the same time, with two groups of queries.
const DOCUMENTS: usize = 8;

/// Whether the processor has the instructions.
pub(super) fn available() -> bool {
    is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bf16")
}

/// See [`super::Kernel::hits`].
pub(super) fn hits(operands: &Operands<'_>, found: &mut Vec<Hit>) {
    assert!(available(), "AVX-512 with bf16 is there");
    // SAFETY: the processor has the features.
    unsafe { hits_with_features(operands, found) }
}

#[target_feature(enable = "avx512f,avx512bf16")]
fn hits_with_features(operands: &Operands<'_>, found: &mut Vec<Hit>) {
    let mut products = [[0.0; GROUP * GROUP]; 2];
    for document in 0..operands.document_groups() {
        for query in (0..operands.query_groups()).step_by(2) {
            let queries = [operands.queries(query), operands.queries(query + 1)];
            for half in 0..GROUP / DOCUMENTS {
                multiply(operands.documents(document), half, queries, &mut products);
            }
            for (part, scores) in products.iter().enumerate() {
                select(operands, document, query + part, scores, found);
            }
        }
    }
}

/// Products of eight documents of a group with two groups of queries.
#[target_feature(enable = "avx512f,avx512bf16")]
fn multiply(documents: &[u16], half: usize, queries: [&[u16]; 2], products: &mut [[f32; GROUP * GROUP]; 2]) {
    let mut sums = [[_mm512_setzero_ps(); 2]; DOCUMENTS];
    let blocks = documents.as_chunks::<BLOCK>().0.as_chunks::<GROUP>().0;
    let (left, right) = (queries[0].as_chunks::<BLOCK>().0, queries[1].as_chunks::<BLOCK>().0);
    for (block, (left, right)) in blocks.iter().zip(left.chunks(GROUP).zip(right.chunks(GROUP))) {
        for (pair, (left, right)) in left.iter().zip(right).enumerate() {
            let (left, right) = (load(left), load(right));
            for (document, sums) in sums.iter_mut().enumerate() {
                let row = &block[half * DOCUMENTS + document];
                let two = u32::from(row[2 * pair]) | u32::from(row[2 * pair + 1]) << 16;
                let two = as_bf16(_mm512_set1_epi32(two.cast_signed()));
                sums[0] = _mm512_dpbf16_ps(sums[0], two, left);
                sums[1] = _mm512_dpbf16_ps(sums[1], two, right);
            }
        }
    }
    for (document, sums) in sums.into_iter().enumerate() {
        let row = (half * DOCUMENTS + document) * GROUP;
        for (products, sums) in products.iter_mut().zip(sums) {
            let slot: &mut [f32] = &mut products[row..row + GROUP];
            // SAFETY: the slot has sixteen numbers.
            unsafe { _mm512_storeu_ps(slot.as_mut_ptr(), sums) };
        }
    }
}

#[target_feature(enable = "avx512f,avx512bf16")]
fn load(numbers: &[u16; BLOCK]) -> __m512bh {
    // SAFETY: 32 numbers of 16 bits are 64 bytes.
    as_bf16(unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) })
}

#[target_feature(enable = "avx512f,avx512bf16")]
fn as_bf16(bits: __m512i) -> __m512bh {
    // SAFETY: both types are 64 bytes, and every pattern of bits is valid in both.
    unsafe { std::mem::transmute(bits) }
}

/// Adds the scores of a group of documents with a group of queries that reach the query's threshold.
#[target_feature(enable = "avx512f")]
pub(super) fn select(
    operands: &Operands<'_>,
    document_group: usize,
    query_group: usize,
    scores: &[f32; GROUP * GROUP],
    found: &mut Vec<Hit>,
) {
    let thresholds: &[f32; GROUP] = operands.thresholds(query_group);
    // SAFETY: both arrays have sixteen numbers.
    let wanted = unsafe { _mm512_loadu_ps(thresholds.as_ptr()) };
    for (row, scores) in scores.as_chunks::<GROUP>().0.iter().enumerate() {
        // SAFETY: as above.
        let scored = unsafe { _mm512_loadu_ps(scores.as_ptr()) };
        let mut lanes = _mm512_cmp_ps_mask::<_CMP_GE_OQ>(scored, wanted);
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            lanes &= lanes - 1;
            found.push(Hit {
                document: (document_group * GROUP + row) as u32,
                query: (query_group * GROUP + lane) as u32,
                score: scores[lane],
            });
        }
    }
}

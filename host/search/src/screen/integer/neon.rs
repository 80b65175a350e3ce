//! Products of whole numbers of eight bits with NEON (`sdot`): four documents with sixteen queries at a time.
#![allow(unsafe_code, reason = "vector instructions that the compiler does not choose by itself")]

use std::arch::aarch64::*;
use std::arch::asm;

use super::GROUP;
use super::documents::{Group, Stride};
use super::number::Width;
use super::queries::{IntegerQueries, LINE, Line};
use crate::screen::form::Hit;

/// Documents whose sums are kept in registers at the same time: with a line of queries, half of the 32 registers.
const DOCUMENTS: usize = 4;

/// Vectors in a line of queries.
const VECTORS: usize = 4;

/// Queries in a vector.
const LANES: usize = LINE / VECTORS;

/// Sums of products, one row per document.
type Sums = [[int32x4_t; VECTORS]; DOCUMENTS];

/// Whether the processor has the instructions.
pub(super) fn available() -> bool {
    std::arch::is_aarch64_feature_detected!("dotprod")
}

/// See [`super::IntegerKernel::multiply`].
pub(super) fn hits(
    documents: &Stride<'_>,
    queries: &IntegerQueries,
    thresholds: &[f32],
    found: &mut Vec<Hit>,
) {
    assert!(available(), "products of eight bits are there");
    // SAFETY: the processor has the features.
    unsafe { hits_with_features(documents, queries, thresholds, found) }
}

#[target_feature(enable = "neon,dotprod")]
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
#[target_feature(enable = "neon,dotprod")]
fn multiply(documents: &[[u32; GROUP]], part: usize, queries: &[[Line; 1]]) -> Sums {
    let mut sums = [[vdupq_n_s32(0); VECTORS]; DOCUMENTS];
    for (documents, [queries]) in documents.iter().zip(queries) {
        let queries = load(queries);
        let documents = &documents.as_chunks::<DOCUMENTS>().0[part];
        for (&word, sums) in documents.iter().zip(&mut sums) {
            let word = vreinterpretq_s8_u32(vdupq_n_u32(word));
            for (&queries, sum) in queries.iter().zip(sums) {
                *sum = add_products(*sum, queries, word);
            }
        }
    }
    sums
}

/// The queries as numbers with a sign: they lie there without one, and what that adds to a sum (`Group::starts`) is not needed here.
#[target_feature(enable = "neon,dotprod")]
fn load(line: &Line) -> [int8x16_t; VECTORS] {
    let sign = vdupq_n_u32(Width::Eight.sign());
    let first = line.0.as_ptr();
    // SAFETY: a line has sixteen words, four vectors.
    let vectors: [uint32x4_t; VECTORS] =
        std::array::from_fn(|vector| unsafe { vld1q_u32(first.add(vector * LANES)) });
    vectors.map(|vector| vreinterpretq_s8_u32(veorq_u32(vector, sign)))
}

/// To each of four sums, the products of four numbers of `left` with those of `right` in the same places.
///
/// Rust has no stable function for this instruction yet (`vdotq_s32`).
#[inline]
#[target_feature(enable = "neon,dotprod")]
fn add_products(mut sums: int32x4_t, left: int8x16_t, right: int8x16_t) -> int32x4_t {
    // SAFETY: the processor has the instruction, which touches these three registers and no memory.
    unsafe {
        asm!(
            "sdot {sums:v}.4s, {left:v}.16b, {right:v}.16b",
            sums = inout(vreg) sums,
            left = in(vreg) left,
            right = in(vreg) right,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    sums
}

/// Gives every score that reaches its threshold to `hit`: its document and query, counted from the first of each, and the
/// score as it was compared.
#[target_feature(enable = "neon,dotprod")]
fn select(
    sums: &Sums,
    part: usize,
    group: &Group<'_>,
    thresholds: &[f32; LINE],
    mut hit: impl FnMut(usize, usize, f32),
) {
    let thresholds = thresholds.as_chunks::<LANES>().0;
    for (document, sums) in (part * DOCUMENTS..).zip(sums) {
        for (vector, (&sums, thresholds)) in sums.iter().zip(thresholds).enumerate() {
            let compared = vmulq_n_f32(vcvtq_f32_s32(sums), group.scales[document]);
            // SAFETY: the array has four numbers.
            let wanted = unsafe { vld1q_f32(thresholds.as_ptr()) };
            if vmaxvq_u32(vcgeq_f32(compared, wanted)) == 0 {
                continue;
            }
            let mut values = [0.0; LANES];
            // SAFETY: as above.
            unsafe { vst1q_f32(values.as_mut_ptr(), compared) };
            for (lane, (&value, &threshold)) in values.iter().zip(thresholds).enumerate() {
                if value >= threshold {
                    hit(document, vector * LANES + lane, value);
                }
            }
        }
    }
}

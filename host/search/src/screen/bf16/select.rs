//! The choice of the scores that reach their threshold, with AVX-512.
#![allow(unsafe_code, reason = "vector instructions that the compiler does not choose by itself")]

use std::arch::x86_64::*;

use super::operands::Operands;
use super::tiles::GROUP;
use crate::screen::hit::Hit;

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

//! Products on the tile unit of x86-64 (AMX, `tdpbf16ps`), sixteen documents with sixteen queries an instruction.
#![allow(
    unsafe_code,
    reason = "the tile unit has no safe interface, and the compiler does not choose the vector instructions by itself"
)]

use std::arch::asm;
use std::arch::x86_64::*;

use super::tile_unit::{self, ConfiguredTiles};
use super::tiles::{GROUP, GROUP_BLOCK, Operands};
use crate::processor::has_avx512;
use crate::screen::form::Hit;

/// Numbers in the product of a group of documents with a group of queries.
const SCORES: usize = GROUP * GROUP;

/// Products of two groups of documents with two groups of queries, one row per document.
#[repr(C, align(64))]
struct Products([[f32; SCORES]; 4]);

/// Whether the processor has the unit and the vectors that choose from its sums, and the system lets this process use it.
pub(super) fn available() -> bool {
    has_avx512() && tile_unit::available()
}

/// See [`super::TileKernel::multiply`].
pub(super) fn hits(operands: &Operands<'_>, found: &mut Vec<Hit>) {
    let tiles = ConfiguredTiles::new().filter(|_| available());
    assert!(tiles.is_some(), "the tile unit is there");
    let mut products = Products([[0.0; SCORES]; 4]);
    let blocks = operands.blocks();
    for document in (0..operands.document_groups()).step_by(2) {
        for query in (0..operands.query_groups()).step_by(2) {
            let documents = [operands.documents(document), operands.documents(document + 1)];
            let queries = [operands.queries(query), operands.queries(query + 1)];
            // SAFETY: the tiles are configured, until `tiles` is dropped.
            unsafe { multiply(documents, queries, blocks, &mut products) };
            for (part, scores) in products.0.iter().enumerate() {
                // SAFETY: the tile unit was only found to be available where AVX-512 is.
                unsafe { select(operands, document + part / 2, query + part % 2, scores, found) };
            }
        }
    }
}

/// All four products of two groups of documents with two groups of queries.
///
/// # Safety
/// The tiles are configured as eight tiles of sixteen rows of 64 bytes.
unsafe fn multiply(documents: [&[u16]; 2], queries: [&[u16]; 2], blocks: usize, products: &mut Products) {
    for group in documents.iter().chain(&queries) {
        assert_eq!(group.len(), blocks * GROUP_BLOCK, "a group has a tile for every 32 numbers");
    }
    if blocks == 0 {
        return products.0.iter_mut().for_each(|scores| scores.fill(0.0));
    }
    // SAFETY: each of the four pointers is the start of `blocks` tiles of 1024 bytes, as asserted, and moves by one tile a
    // round, so that the last round reads the last tile. The stores write 4 · 1024 bytes at 64 bytes a row, which
    // `Products` has. The tiles and the registers that change are named.
    unsafe {
        asm!(
            "tilezero tmm0",
            "tilezero tmm1",
            "tilezero tmm2",
            "tilezero tmm3",
            "2:",
            "tileloadd tmm6, [{q0} + {row}]",
            "tileloadd tmm4, [{d0} + {row}]",
            "tdpbf16ps tmm0, tmm4, tmm6",
            "tileloadd tmm7, [{q1} + {row}]",
            "tdpbf16ps tmm1, tmm4, tmm7",
            "tileloadd tmm5, [{d1} + {row}]",
            "tdpbf16ps tmm2, tmm5, tmm6",
            "tdpbf16ps tmm3, tmm5, tmm7",
            "add {q0}, 1024",
            "add {q1}, 1024",
            "add {d0}, 1024",
            "add {d1}, 1024",
            "dec {blocks}",
            "jnz 2b",
            "tilestored [{out} + {row}], tmm0",
            "tilestored [{out} + {row} + 1024], tmm1",
            "tilestored [{out} + {row} + 2048], tmm2",
            "tilestored [{out} + {row} + 3072], tmm3",
            d0 = inout(reg) documents[0].as_ptr() => _,
            d1 = inout(reg) documents[1].as_ptr() => _,
            q0 = inout(reg) queries[0].as_ptr() => _,
            q1 = inout(reg) queries[1].as_ptr() => _,
            blocks = inout(reg) blocks => _,
            row = in(reg) 64usize,
            out = in(reg) products.0.as_mut_ptr(),
            out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
            out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
            options(nostack),
        );
    }
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

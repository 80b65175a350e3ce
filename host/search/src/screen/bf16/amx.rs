//! Products on the tile unit of x86-64 (AMX, `tdpbf16ps`), sixteen documents with sixteen queries
//! an instruction: whether a program may use it, and its eight tiles of sixteen rows of 64 bytes.
#![allow(
    unsafe_code,
    reason = "the tile unit has no safe interface, and the compiler does not choose the vector instructions by itself"
)]

use std::arch::asm;
use std::arch::x86_64::{__cpuid_count, *};
use std::marker::PhantomData;
use std::sync::OnceLock;

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
    has_avx512() && has_tile_unit()
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

/// The tiles `tmm0` to `tmm7` of this thread, each of sixteen rows of 64 bytes, until this is dropped.
#[derive(Debug)]
pub struct ConfiguredTiles {
    /// The tiles are those of the thread that configured them.
    of_thread: PhantomData<*const ()>,
}

impl ConfiguredTiles {
    /// Configures the tiles; `None` where they cannot be used. What was in them is lost: nobody else on this thread may be
    /// using them meanwhile.
    pub fn new() -> Option<Self> {
        if !has_tile_unit() {
            return None;
        }
        let shapes = Shapes {
            palette: 1,
            start_row: 0,
            reserved: [0; 14],
            row_bytes: [64, 64, 64, 64, 64, 64, 64, 64, 0, 0, 0, 0, 0, 0, 0, 0],
            rows: [16, 16, 16, 16, 16, 16, 16, 16, 0, 0, 0, 0, 0, 0, 0, 0],
        };
        // SAFETY: the unit is there and permitted. `Shapes` has the layout that palette 1 defines.
        unsafe { asm!("ldtilecfg [{}]", in(reg) &shapes, options(nostack, readonly)) };
        Some(Self { of_thread: PhantomData })
    }
}

impl Drop for ConfiguredTiles {
    fn drop(&mut self) {
        // SAFETY: the tiles were configured by `new` on this thread; this gives them back.
        unsafe { asm!("tilerelease", options(nostack, nomem)) };
    }
}

/// Whether the processor has a tile unit that multiplies in bf16, and the system lets this process use it.
pub fn has_tile_unit() -> bool {
    static AVAILABLE: OnceLock<bool> = OnceLock::new();
    *AVAILABLE.get_or_init(|| {
        const BF16: u32 = 1 << 22;
        const TILE: u32 = 1 << 24;
        // SAFETY: every processor of x86-64 has `cpuid`; a leaf that it does not know reads as zeros or as another leaf,
        // and AVX-512, which is asked for first, came later than leaf 7.
        #[allow(unused_unsafe, reason = "safe from Rust 1.93 on")]
        let features = is_x86_feature_detected!("avx512f").then(|| unsafe { __cpuid_count(7, 0) }.edx);
        features.is_some_and(|bits| bits & BF16 != 0 && bits & TILE != 0)
            && mteb_system::tile_data::permitted()
    })
}

/// What `ldtilecfg` reads: the shape of each tile.
#[repr(C, align(64))]
struct Shapes {
    palette: u8,
    start_row: u8,
    reserved: [u8; 14],
    row_bytes: [u16; 16],
    rows: [u8; 16],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_configured_where_the_unit_is_there_and_nowhere_else() {
        assert_eq!(ConfiguredTiles::new().is_some(), has_tile_unit());
        assert_eq!(ConfiguredTiles::new().is_some(), has_tile_unit(), "they were given back");
    }
}

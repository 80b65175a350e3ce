//! Rows rounded to bf16 and laid out in tiles, and the units that multiply them.

#[cfg(target_arch = "x86_64")]
mod amx;

pub(crate) mod tiles;

pub(crate) use tiles::Operands;

use std::ops::Range;

use super::STRIDE;
use super::form::{Extent, Form, Hit};
use tiles::{BLOCK, GROUP, GROUP_BLOCK, Tiles, document_place, query_place};

/// A unit that multiplies in bf16 and adds in f32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TileKernel {
    /// Tiles of x86-64.
    Amx,
    /// Plain loops: what the other is compared with.
    #[cfg_attr(not(test), allow(dead_code, reason = "what the other is compared with"))]
    Portable,
}

impl TileKernel {
    /// Whether this processor can run it.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only kernels of x86-64 ask for it"))]
    pub(crate) fn available(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Amx => amx::available(),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Amx => false,
            Self::Portable => true,
        }
    }

    /// Adds every score that reaches its threshold to `found`.
    pub(crate) fn multiply(self, operands: &Operands<'_>, found: &mut Vec<Hit>) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Amx => amx::hits(operands, found),
            _ => hits_in_plain_loops(operands, found),
        }
    }
}

impl Form for TileKernel {
    type Documents = Tiles;
    type Queries = Tiles;
    type Memory = Vec<u16>;

    fn together(self, _: usize) -> Range<usize> {
        256..512
    }

    fn documents(self, rows: &[f32], dimension: usize, memory: Vec<u16>) -> (Tiles, Vec<Extent>) {
        Tiles::documents(rows, dimension, memory)
    }

    fn memory(documents: Tiles) -> Vec<u16> {
        documents.into_numbers()
    }

    fn queries(self, rows: &[f32], dimension: usize) -> (Tiles, Vec<Extent>) {
        Tiles::queries(rows, dimension)
    }

    fn places(queries: &Tiles) -> usize {
        queries.groups() * GROUP
    }

    fn threshold(_: &Tiles, _: usize, score: f32) -> f32 {
        score
    }

    fn hits(
        self,
        documents: &Tiles,
        stride: usize,
        queries: &Tiles,
        thresholds: &[f32],
        found: &mut Vec<Hit>,
    ) {
        let groups = stride * STRIDE / GROUP..(stride + 1) * STRIDE / GROUP;
        self.multiply(&Operands::new(documents, groups, queries, thresholds.as_chunks().0), found);
    }
}

/// See [`TileKernel::multiply`].
fn hits_in_plain_loops(operands: &Operands<'_>, found: &mut Vec<Hit>) {
    for document in 0..operands.document_groups() * GROUP {
        for query in 0..operands.query_groups() * GROUP {
            let score = product(operands, document, query);
            if score >= operands.thresholds(query / GROUP)[query % GROUP] {
                found.push(Hit { document: document as u32, query: query as u32, score });
            }
        }
    }
}

fn product(operands: &Operands<'_>, document: usize, query: usize) -> f32 {
    let (documents, queries) = (operands.documents(document / GROUP), operands.queries(query / GROUP));
    (0..operands.blocks() * BLOCK).fold(0.0, |sum, place| {
        let block = place / BLOCK * GROUP_BLOCK;
        let left = documents[block + document_place(document % GROUP, place % BLOCK)];
        let right = queries[block + query_place(query % GROUP, place % BLOCK)];
        sum + widen(left) * widen(right)
    })
}

fn widen(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

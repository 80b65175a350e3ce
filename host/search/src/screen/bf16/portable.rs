//! The products that the tile unit computes, in plain loops: what it is compared with.

use super::tiles::{BLOCK, GROUP, GROUP_BLOCK, Operands, document_place, query_place};
use crate::screen::form::Hit;

/// See [`super::TileKernel::multiply`].
pub(super) fn hits(operands: &Operands<'_>, found: &mut Vec<Hit>) {
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

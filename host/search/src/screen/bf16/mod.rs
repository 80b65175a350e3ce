//! Rows rounded to bf16 and laid out in tiles, and the units that multiply them.

#[cfg(target_arch = "x86_64")]
mod amx;
mod portable;
mod round;

#[cfg(target_arch = "x86_64")]
mod tile_unit;
pub(crate) mod tiles;

pub(crate) use tiles::Operands;

use std::ops::Range;

use super::STRIDE;
use super::extent::Extent;
use super::form::{Form, Hit};
use tiles::{GROUP, Tiles};

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
            _ => portable::hits(operands, found),
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

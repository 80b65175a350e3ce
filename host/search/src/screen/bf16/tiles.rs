//! Embeddings rounded to bf16 and laid out in tiles, the form in which the tile unit reads them,
//! and what a kernel multiplies.

use std::ops::Range;

use rayon::prelude::*;

use super::round::round;
use crate::screen::STRIDE;
use crate::screen::extent::Extent;

/// Rows that lie together.
pub(crate) const GROUP: usize = 16;

/// Numbers of a row in one tile.
pub(crate) const BLOCK: usize = 32;

/// Numbers in a tile: `BLOCK` numbers of each row of a group.
pub(crate) const GROUP_BLOCK: usize = GROUP * BLOCK;

/// Rounded rows; places that fill up a group or a tile hold zeros.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tiles {
    numbers: Vec<u16>,
    /// Where the first tile starts: at a cache line, as a row of a tile that lies in two costs twice.
    start: usize,
    blocks: usize,
}

/// Where number `place` of document `row` of a group lies in the tile: documents lie row by row.
pub(crate) const fn document_place(row: usize, place: usize) -> usize {
    row * BLOCK + place
}

/// Where number `place` of query `row` of a group lies in the tile: pairs of numbers lie column by column.
pub(crate) const fn query_place(row: usize, place: usize) -> usize {
    place / 2 * BLOCK + 2 * row + place % 2
}

impl Tiles {
    /// Documents, in strides of [`STRIDE`], with the extent of each stride. `numbers` is memory to use again.
    pub(crate) fn documents(rows: &[f32], dimension: usize, numbers: Vec<u16>) -> (Self, Vec<Extent>) {
        let strides = (rows.len() / dimension).div_ceil(STRIDE);
        let mut tiles = Self::sized(strides * STRIDE, dimension, numbers);
        let blocks = tiles.blocks;
        let start = tiles.start;
        let extents = tiles.numbers[start..]
            .par_chunks_exact_mut(STRIDE * blocks * BLOCK)
            .zip(rows.par_chunks(STRIDE * dimension))
            .map_init(
                || vec![0; blocks * BLOCK],
                |rounded, (tiles, rows)| round_stride(tiles, rows.chunks_exact(dimension), rounded),
            )
            .collect();
        (tiles, extents)
    }

    /// Queries, with the extent of each.
    pub(crate) fn queries(rows: &[f32], dimension: usize) -> (Self, Vec<Extent>) {
        let count = (rows.len() / dimension).next_multiple_of(2 * GROUP);
        let mut tiles = Self::sized(count, dimension, Vec::new());
        let mut rounded = vec![0; tiles.blocks * BLOCK];
        let length = tiles.blocks * GROUP_BLOCK;
        let mut extents = Vec::with_capacity(count);
        for (index, row) in rows.chunks_exact(dimension).enumerate() {
            extents.push(round(row, &mut rounded));
            let group = &mut tiles.numbers[tiles.start + index / GROUP * length..][..length];
            for (place, &number) in rounded.iter().enumerate() {
                group[place / BLOCK * GROUP_BLOCK + query_place(index % GROUP, place % BLOCK)] = number;
            }
        }
        (tiles, extents)
    }

    fn sized(rows: usize, dimension: usize, mut numbers: Vec<u16>) -> Self {
        const LINE: usize = 64;
        let blocks = dimension.div_ceil(BLOCK);
        let length = rows * blocks * BLOCK;
        numbers.resize(length + LINE / size_of::<u16>(), 0);
        let start = numbers.as_ptr().align_offset(LINE).min(LINE / size_of::<u16>());
        numbers.truncate(start + length);
        Self { numbers, start, blocks }
    }

    /// Groups of rows; an even number.
    pub(crate) fn groups(&self) -> usize {
        (self.numbers.len() - self.start) / (self.blocks * GROUP_BLOCK).max(1)
    }

    /// Tiles a group.
    pub(crate) fn blocks(&self) -> usize {
        self.blocks
    }

    /// The tiles of a group, one after the other.
    pub(crate) fn group(&self, index: usize) -> &[u16] {
        let length = self.blocks * GROUP_BLOCK;
        &self.numbers[self.start + index * length..][..length]
    }

    /// The memory, to be used again.
    pub(crate) fn into_numbers(self) -> Vec<u16> {
        self.numbers
    }
}

/// Rounds documents into the tiles of a stride; where there are no more documents the tiles become zero.
fn round_stride<'a>(
    tiles: &mut [u16],
    mut documents: impl Iterator<Item = &'a [f32]>,
    rounded: &mut [u16],
) -> Extent {
    let mut widest = Extent::default();
    for group in tiles.chunks_exact_mut(rounded.len() * GROUP) {
        for row in 0..GROUP {
            match documents.next() {
                Some(numbers) => widest = widest.max(round(numbers, rounded)),
                None => rounded.fill(0),
            }
            let tiles = group.as_chunks_mut::<GROUP_BLOCK>().0.iter_mut();
            for (tile, part) in tiles.zip(rounded.as_chunks::<BLOCK>().0) {
                tile[document_place(row, 0)..][..BLOCK].copy_from_slice(part);
            }
        }
    }
    widest
}

/// What is multiplied.
pub(crate) struct Operands<'a> {
    documents: &'a Tiles,
    /// Groups of documents; an even number.
    groups: Range<usize>,
    queries: &'a Tiles,
    /// The lowest wanted score of each query.
    thresholds: &'a [[f32; GROUP]],
}

impl<'a> Operands<'a> {
    /// The documents of `groups` with all `queries`; both sides have an even number of groups.
    pub(crate) fn new(
        documents: &'a Tiles,
        groups: Range<usize>,
        queries: &'a Tiles,
        thresholds: &'a [[f32; GROUP]],
    ) -> Self {
        assert!(groups.len().is_multiple_of(2) && queries.groups().is_multiple_of(2), "groups come in pairs");
        assert!(groups.end <= documents.groups() && thresholds.len() == queries.groups());
        assert_eq!(documents.blocks(), queries.blocks(), "both sides have the same dimension");
        Self { documents, groups, queries, thresholds }
    }

    pub(super) fn document_groups(&self) -> usize {
        self.groups.len()
    }

    pub(super) fn query_groups(&self) -> usize {
        self.queries.groups()
    }

    pub(super) fn documents(&self, group: usize) -> &[u16] {
        self.documents.group(self.groups.start + group)
    }

    pub(super) fn queries(&self, group: usize) -> &[u16] {
        self.queries.group(group)
    }

    pub(super) fn thresholds(&self, group: usize) -> &[f32; GROUP] {
        &self.thresholds[group]
    }

    /// Tiles a group.
    pub(super) fn blocks(&self) -> usize {
        self.queries.blocks()
    }
}

//! Embeddings rounded to bf16 and laid out in tiles, the form in which the tile unit reads them,
//! what rounding loses, and what a kernel multiplies.

use std::ops::Range;

use rayon::prelude::*;

use crate::processor::wide;
use crate::screen::STRIDE;
use crate::screen::form::Extent;

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

/// Sums that run side by side, so that the compiler keeps them in one vector.
const LANES: usize = 16;

/// Writes `row`, rounded to the nearest bf16 (ties to even, subnormal numbers to zero), to the start of `rounded`; what
/// is left of it becomes zero.
pub(crate) fn round(row: &[f32], rounded: &mut [u16]) -> Extent {
    let (numbers, padding) = rounded.split_at_mut(row.len());
    padding.fill(0);
    wide(
        #[inline(always)]
        || round_all(row, numbers),
    )
}

#[inline(always)]
fn round_all(row: &[f32], rounded: &mut [u16]) -> Extent {
    let mut sums = [[0.0f32; LANES]; 2];
    let ((blocks, tail), (slots, last)) = (row.as_chunks::<LANES>(), rounded.as_chunks_mut::<LANES>());
    for (block, slots) in blocks.iter().zip(slots) {
        add(block, slots, &mut sums);
    }
    let mut padded = [0.0; LANES];
    padded[..tail.len()].copy_from_slice(tail);
    let mut slots = [0; LANES];
    add(&padded, &mut slots, &mut sums);
    last.copy_from_slice(&slots[..tail.len()]);
    Extent::new(sums[0].iter().sum(), sums[1].iter().sum())
}

#[inline(always)]
fn add(block: &[f32; LANES], slots: &mut [u16; LANES], sums: &mut [[f32; LANES]; 2]) {
    for lane in 0..LANES {
        let value = block[lane];
        let bits = nearest(value);
        let residual = value - f32::from_bits(bits << 16);
        slots[lane] = bits as u16;
        sums[0][lane] += value * value;
        sums[1][lane] += residual * residual;
    }
}

/// The upper half of the nearest number whose lower half is zero.
#[inline(always)]
fn nearest(value: f32) -> u32 {
    const EXPONENT: u32 = 0x7f80_0000;
    let bits = value.to_bits();
    let rounded = bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16;
    if bits & EXPONENT == 0 { 0 } else { rounded }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Known answers: 1 + 2⁻⁸ lies between two neighbours and goes to the even one, as does 1 + 3·2⁻⁸.
    #[test]
    fn numbers_go_to_the_nearest_and_ties_to_the_even_one() {
        let ulp = 1.0 / 128.0;
        let cases = [
            (1.0, 1.0),
            (1.0 + 0.5 * ulp, 1.0),
            (1.0 + 1.5 * ulp, 1.0 + 2.0 * ulp),
            (1.0 + 0.75 * ulp, 1.0 + ulp),
            (-(1.0 + 0.75 * ulp), -(1.0 + ulp)),
            (f32::MIN_POSITIVE / 2.0, 0.0),
            (1.999_999_9, 2.0),
        ];
        for (value, expected) in cases {
            assert_eq!(f32::from_bits(nearest(value) << 16), expected, "{value}");
        }
    }

    #[test]
    fn the_extent_is_at_least_the_norms() {
        let row: Vec<f32> = (0..45).map(|place| (place as f32 * 0.7).sin()).collect();
        let mut rounded = vec![1; 64];
        let extent = round(&row, &mut rounded);
        assert_eq!(rounded[45..], [0; 19]);
        let norm =
            |values: &mut dyn Iterator<Item = f64>| values.map(|value| value * value).sum::<f64>().sqrt();
        let back = |index: usize| f64::from(f32::from_bits(u32::from(rounded[index]) << 16));
        let whole = norm(&mut row.iter().map(|&value| f64::from(value)));
        let lost = norm(&mut row.iter().enumerate().map(|(index, &value)| f64::from(value) - back(index)));
        for (bound, exact) in [(extent.norm, whole), (extent.residual, lost)] {
            let ratio = f64::from(bound) / exact;
            assert!((1.0..1.01).contains(&ratio), "{bound} for {exact}");
        }
    }

    #[test]
    fn rows_that_are_not_finite_have_no_finite_extent() {
        for value in [f32::NAN, f32::INFINITY, f32::MAX, 1e30] {
            assert!(!round(&[0.0, value], &mut [0; 32]).is_finite(), "{value}");
        }
        assert!(round(&[1e17; 4], &mut [0; 32]).is_finite());
    }
}

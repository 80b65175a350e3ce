//! Numbers split into parts and laid out in tiles, the form in which the unit reads them.

use std::ops::Range;

pub(super) use super::parts::PARTS;
use super::parts::parts;

/// Rows or columns that lie together.
pub(super) const GROUP: usize = 16;

/// Numbers of a row in one tile.
pub(super) const BLOCK: usize = 32;

/// Numbers in a tile.
pub(super) const TILE: usize = GROUP * BLOCK;

/// Split numbers: group after group, in each block after block, in each one tile a part. Places that fill up a tile or a
/// pair of groups hold zeros.
#[derive(Debug, Default)]
pub(super) struct Tiles {
    numbers: Vec<u16>,
    /// Where the first tile starts: at a cache line, as a row of a tile that lies in two costs twice.
    start: usize,
    groups: usize,
    blocks: usize,
}

/// Where number `place` of row `row` of a group lies in the tile of a left operand: row by row.
pub(super) const fn row_place(row: usize, place: usize) -> usize {
    row * BLOCK + place
}

/// Where number `place` of column `column` of a group lies in the tile of a right operand: pairs of numbers lie column by
/// column.
pub(super) const fn column_place(column: usize, place: usize) -> usize {
    place / 2 * BLOCK + 2 * column + place % 2
}

impl Tiles {
    /// The columns of a right operand, each given as a row of `length` numbers.
    pub(super) fn columns(rows: &[f32], length: usize) -> Self {
        let mut tiles = Self::default();
        tiles.resize(rows.len().checked_div(length).unwrap_or(0), length);
        for (column, numbers) in rows.chunks_exact(length.max(1)).enumerate() {
            for (place, &number) in numbers.iter().enumerate() {
                let tile = tiles.tile_start(column / GROUP, place / BLOCK);
                for (part, bits) in parts(number).into_iter().enumerate() {
                    let place = column_place(column % GROUP, place % BLOCK);
                    tiles.numbers[tile + part * TILE + place] = bits;
                }
            }
        }
        tiles
    }

    /// The numbers of `blocks` of the rows of a left operand, of `length` numbers each, in the place of what is there; `split`
    /// gives the parts of 32 numbers.
    #[inline(always)]
    pub(super) fn fill_with_rows(
        &mut self,
        rows: &[f32],
        length: usize,
        blocks: Range<usize>,
        split: impl Fn(&[f32; BLOCK]) -> [[u16; BLOCK]; PARTS],
    ) {
        let count = rows.len().checked_div(length).unwrap_or(0);
        self.resize(count, blocks.len() * BLOCK);
        for row in 0..self.groups * GROUP {
            let numbers = rows.get(row * length..(row + 1) * length).unwrap_or_default();
            for (index, block) in blocks.clone().enumerate() {
                let numbers = numbers.get(block * BLOCK..).unwrap_or_default();
                let parts = match numbers.first_chunk::<BLOCK>() {
                    Some(numbers) => split(numbers),
                    None => {
                        let mut whole = [0.0; BLOCK];
                        whole[..numbers.len()].copy_from_slice(numbers);
                        split(&whole)
                    }
                };
                let tile = self.tile_start(row / GROUP, index) + row_place(row % GROUP, 0);
                for (part, bits) in parts.iter().enumerate() {
                    self.numbers[tile + part * TILE..][..BLOCK].copy_from_slice(bits);
                }
            }
        }
    }

    /// Groups; an even number.
    pub(super) fn groups(&self) -> usize {
        self.groups
    }

    /// Blocks of a row.
    pub(super) fn blocks(&self) -> usize {
        self.blocks
    }

    /// The tiles of some blocks of a group, one after the other.
    pub(super) fn group(&self, index: usize, blocks: Range<usize>) -> &[u16] {
        &self.numbers[self.tile_start(index, blocks.start)..][..blocks.len() * PARTS * TILE]
    }

    fn tile_start(&self, group: usize, block: usize) -> usize {
        self.start + (group * self.blocks + block) * PARTS * TILE
    }

    /// Room for `rows` rows of `length` numbers; what is in it stays as it is.
    fn resize(&mut self, rows: usize, length: usize) {
        const LINE: usize = 64;
        self.groups = rows.div_ceil(2 * GROUP) * 2;
        self.blocks = length.div_ceil(BLOCK);
        self.numbers.resize(self.groups * self.blocks * PARTS * TILE + LINE / size_of::<u16>(), 0);
        self.start = self.numbers.as_ptr().align_offset(LINE).min(LINE / size_of::<u16>());
    }
}

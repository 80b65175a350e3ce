//! The nearest centre of each row.

use pulp::{Arch, Simd, WithSimd};

use super::rows::{Rows, squared_norm};
use super::small::{NearestOfSmall, is_small};

/// Rows that are multiplied side by side.
const TILE: usize = 6;

/// Centres that are multiplied side by side.
const WIDTH: usize = 16;

/// Rows that the reference multiplies at once.
pub(super) const CHUNK: usize = 256;

/// Numbers of a row that are added up before they join the total, as OpenBLAS blocks its products.
const DEPTH: usize = 448;

/// Centres laid out for multiplication: number t of [`WIDTH`] centres side by side, then number t + 1 of them.
pub(super) struct Centres<'a> {
    centres: Rows<'a>,
    panels: Vec<[f32; WIDTH]>,
    /// Squared norms, a panel at a time; infinite beyond the last centre, which is then never the nearest.
    norms: Vec<[f32; WIDTH]>,
    dimension: usize,
}

impl<'a> Centres<'a> {
    /// Lays out `centres`.
    pub fn new(centres: Rows<'a>) -> Self {
        let (count, dimension) = (centres.len(), centres.dimension());
        let panel_count = count.div_ceil(WIDTH);
        let mut panels = vec![[0.0; WIDTH]; panel_count * dimension];
        let mut norms = vec![[f32::INFINITY; WIDTH]; panel_count];
        for centre in 0..count {
            let (panel, column) = (centre / WIDTH, centre % WIDTH);
            let row = centres.row(centre as u32);
            norms[panel][column] = squared_norm(row);
            let numbers = &mut panels[panel * dimension..(panel + 1) * dimension];
            for (number, &value) in numbers.iter_mut().zip(row) {
                number[column] = value;
            }
        }
        Self { centres, panels, norms, dimension }
    }

    /// Writes to `labels` the centre with the smallest ‖c‖² − 2x·c for each of the `rows` at `indices`, the first one
    /// of several.
    ///
    /// The products are added up in the order of OpenBLAS on x86-64 with AVX-512, whatever the processor: it depends on how many
    /// rows there are, because they are multiplied one chunk at a time.
    pub fn nearest(&self, rows: Rows<'_>, indices: &[u32], labels: &mut [u32]) {
        for (indices, labels) in indices.chunks(CHUNK).zip(labels.chunks_mut(CHUNK)) {
            self.nearest_of_part(rows, indices, labels, indices.len());
        }
    }

    /// The same for a part of a chunk of `chunk` rows: the chunk itself, or if that is a whole one, any of its rows.
    pub fn nearest_of_part(&self, rows: Rows<'_>, indices: &[u32], labels: &mut [u32], chunk: usize) {
        debug_assert_eq!(rows.dimension(), self.dimension);
        if is_small(chunk, self.centres.len(), self.dimension) {
            let (centres, norms) = (self.centres, &self.norms.as_flattened()[..self.centres.len()]);
            let is_whole = chunk == CHUNK;
            Arch::new().dispatch(NearestOfSmall { centres, norms, rows, indices, labels, is_whole });
        } else {
            Arch::new().dispatch(Nearest { centres: self, rows, indices, labels });
        }
    }

    #[inline(always)]
    fn nearest_of_tile(&self, tile: [&[f32]; TILE]) -> [u32; TILE] {
        let mut best = [f32::INFINITY; TILE];
        let mut labels = [0; TILE];
        for (number, (panel, norms)) in self.panels.chunks_exact(self.dimension).zip(&self.norms).enumerate()
        {
            let scores = multiply(tile, panel, norms);
            for ((scores, best), label) in scores.iter().zip(&mut best).zip(&mut labels) {
                let lowest = lowest(*scores);
                if lowest < *best {
                    *best = lowest;
                    *label = (number * WIDTH) as u32 + first(scores, lowest);
                }
            }
        }
        labels
    }
}

/// The lowest of the scores, found without a branch.
#[inline(always)]
fn lowest(mut scores: [f32; WIDTH]) -> f32 {
    let mut half = WIDTH / 2;
    while half > 0 {
        let (low, high) = scores.split_at_mut(half);
        for (low, &high) in low.iter_mut().zip(&*high) {
            *low = if high < *low { high } else { *low };
        }
        half /= 2;
    }
    scores[0]
}

/// Place of the first score that equals `lowest`, which is one of them.
#[inline(always)]
fn first(scores: &[f32; WIDTH], lowest: f32) -> u32 {
    let bits = scores.iter().enumerate().map(|(place, &score)| u32::from(score == lowest) << place);
    bits.fold(0, |bits, bit| bits | bit).trailing_zeros()
}

struct Nearest<'a> {
    centres: &'a Centres<'a>,
    rows: Rows<'a>,
    indices: &'a [u32],
    labels: &'a mut [u32],
}

impl WithSimd for Nearest<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for (indices, labels) in self.indices.chunks(TILE).zip(self.labels.chunks_mut(TILE)) {
            // A short tile repeats its last row, whose labels are then not asked for.
            let tile = std::array::from_fn(|place| self.rows.row(indices[place.min(indices.len() - 1)]));
            labels.copy_from_slice(&self.centres.nearest_of_tile(tile)[..labels.len()]);
        }
    }
}

/// ‖c‖² − 2x·c of each row with each centre of a panel.
#[inline(always)]
fn multiply(
    mut tile: [&[f32]; TILE],
    mut panel: &[[f32; WIDTH]],
    norms: &[f32; WIDTH],
) -> [[f32; WIDTH]; TILE] {
    let mut scores = [*norms; TILE];
    while !panel.is_empty() {
        let depth = block(panel.len());
        let (block, rest) = panel.split_at(depth);
        panel = rest;
        let sums = dot_products(tile.map(|row| &row[..depth]), block);
        tile = tile.map(|row| &row[depth..]);
        for (scores, sums) in scores.iter_mut().zip(&sums) {
            for (score, sum) in scores.iter_mut().zip(sums) {
                *score -= 2.0 * sum;
            }
        }
    }
    scores
}

#[inline(always)]
fn dot_products(tile: [&[f32]; TILE], block: &[[f32; WIDTH]]) -> [[f32; WIDTH]; TILE] {
    let tile = tile.map(|row| &row[..block.len()]);
    let mut sums = [[0.0f32; WIDTH]; TILE];
    for (number, centres) in block.iter().enumerate() {
        for (sums, row) in sums.iter_mut().zip(&tile) {
            let value = row[number];
            for (sum, &centre) in sums.iter_mut().zip(centres) {
                *sum = value.mul_add(centre, *sum);
            }
        }
    }
    sums
}

/// Length of the next block of `rest` numbers: two blocks that are left are made about equal.
fn block(rest: usize) -> usize {
    if rest >= 2 * DEPTH {
        DEPTH
    } else if rest > DEPTH {
        (rest / 2).next_multiple_of(16)
    } else {
        rest
    }
}

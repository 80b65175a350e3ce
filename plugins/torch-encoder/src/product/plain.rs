//! The products that the unit computes, in plain loops: what it is compared with.
#![allow(unsafe_code, reason = "the result is not initialised before the first product")]

use std::array::from_fn;
use std::mem::MaybeUninit;

use super::factors::Factors;
use super::parts::{parts, widen};
use super::tiles::{BLOCK, GROUP, PARTS, TILE, column_place, row_place};

/// Pairs of parts that are multiplied, those of the row first.
pub(super) const PAIRS: [[usize; 2]; 6] = [[2, 0], [1, 0], [0, 0], [0, 1], [1, 1], [0, 2]];

/// The parts of 32 numbers.
pub(super) fn split(numbers: &[f32; BLOCK]) -> [[u16; BLOCK]; PARTS] {
    let all = numbers.map(parts);
    from_fn(|part| all.map(|parts| parts[part]))
}

/// Adds the products to the bias, or without one to what is in `out`, `outs` numbers a row.
pub(super) fn multiply(
    factors: &Factors<'_>,
    bias: Option<&[f32]>,
    out: &mut [MaybeUninit<f32>],
    outs: usize,
) {
    let columns = factors.width.start * GROUP..(factors.width.end * GROUP).min(outs);
    for (row, out) in out.chunks_exact_mut(outs.max(1)).enumerate() {
        let left = factors.row_group(row / GROUP);
        for column in columns.clone() {
            let right = factors.column_group(column / GROUP);
            let mut sum = match bias {
                Some(bias) => bias[column],
                // SAFETY: the first blocks were multiplied with a bias, which filled `out`.
                None => unsafe { out[column].assume_init() },
            };
            for block in 0..factors.depth.len() {
                for [left_part, right_part] in PAIRS {
                    let tile = |part| (block * PARTS + part) * TILE;
                    for place in 0..BLOCK {
                        let left = left[tile(left_part) + row_place(row % GROUP, place)];
                        let right = right[tile(right_part) + column_place(column % GROUP, place)];
                        sum += widen(left) * widen(right);
                    }
                }
            }
            out[column].write(sum);
        }
    }
}

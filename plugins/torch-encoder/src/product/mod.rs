//! rows · weightᵀ + bias in float32 on a processor's bf16 tile unit, which multiplies some twenty times as fast as its f32
//! units.
//!
//! A number of float32 has 24 significant bits and is the sum of three numbers of bf16, of 8 bits each: x = x₁ + x₂ + x₃, where
//! x₁ is x rounded, x₂ the rest rounded, and x₃ what then remains, all exactly (short of underflow). The product of two
//! numbers becomes six products of parts, each exact in f32 and added in f32 by the unit:
//!
//! > x·w ≈ x₃·w₁ + x₂·w₁ + x₁·w₁ + x₁·w₂ + x₂·w₂ + x₁·w₃
//!
//! A part is at most 2⁻⁸ of the one before it, so the three products that are left out are at most (2⁻²⁴ + 2⁻²⁴ + 2⁻³²)·|x·w|
//! together, of either sign: what two roundings of the product to f32 may cost. The sum has six times as many terms as the f32
//! product, most of them tiny, and an order of its own, as every library's product has. Tests compare it with the exact sum.
//!
//! Infinite numbers give NaN, as the rest of an infinite number is none.

#[cfg(target_arch = "x86_64")]
mod amx;
mod factors;
mod parts;
mod plain;
mod tiles;

use std::mem::MaybeUninit;

use factors::Factors;
use tiles::{GROUP, Tiles};

/// Rows that are worked on together: the weights pass by once for all of them. With [`DEPTH`] blocks of them, as many of
/// [`WIDTH`] groups of columns, and their sums, they are about as much as a core's second cache holds.
const ROWS: usize = 448;

/// Blocks that are worked on together: 384 numbers of a row.
const DEPTH: usize = 12;

/// Groups of columns that are worked on together.
const WIDTH: usize = 16;

/// A unit that can do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Tiles of x86-64.
    #[cfg(target_arch = "x86_64")]
    Amx,
    /// Plain loops, for comparison.
    #[cfg_attr(not(test), allow(dead_code, reason = "what the other is compared with"))]
    Plain,
}

/// The weight and bias of a linear layer in the form that the unit reads.
#[derive(Debug)]
pub struct Product {
    unit: Unit,
    weight: Tiles,
    /// One number a column, zeros up to a whole number of pairs of groups.
    bias: Vec<f32>,
    inputs: usize,
    outs: usize,
}

impl Unit {
    /// The unit of this processor, if it has one.
    pub fn detect() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        if amx::available() {
            return Some(Self::Amx);
        }
        None
    }
}

impl Product {
    /// Takes `weight`, `outs × inputs`, and `bias`, `outs`.
    pub fn new(unit: Unit, weight: &[f32], bias: Option<&[f32]>, [outs, inputs]: [usize; 2]) -> Self {
        assert_eq!(weight.len(), outs * inputs, "a weight of outs × inputs");
        let padded = outs.next_multiple_of(2 * GROUP);
        let mut columns = vec![0.0; padded];
        columns[..outs].copy_from_slice(bias.unwrap_or(&vec![0.0; outs]));
        Self { unit, weight: Tiles::columns(weight, inputs), bias: columns, inputs, outs }
    }

    /// Numbers of a row that goes in and of one that comes out.
    pub fn shape(&self) -> [usize; 2] {
        [self.inputs, self.outs]
    }

    /// Fills `out`, `rows × outs`, from `rows`, `rows × inputs`, with `threads` threads.
    pub fn apply(&self, rows: &[f32], out: &mut [MaybeUninit<f32>], threads: usize) {
        let count = rows.len().checked_div(self.inputs).unwrap_or(0);
        assert_eq!(rows.len(), count * self.inputs, "whole rows");
        assert_eq!(out.len(), count * self.outs, "a row out for every row in");
        let chunk = count.div_ceil(threads.max(1)).clamp(1, ROWS).next_multiple_of(2 * GROUP);
        let chunks = rows.chunks(chunk * self.inputs).zip(out.chunks_mut(chunk * self.outs));
        if threads <= 1 || count <= chunk {
            let mut tiles = Tiles::default();
            chunks.for_each(|(rows, out)| self.chunk(rows, out, &mut tiles));
            return;
        }
        let mut work: Vec<Vec<_>> = (0..threads).map(|_| Vec::new()).collect();
        chunks.enumerate().for_each(|(number, chunk)| work[number % threads].push(chunk));
        std::thread::scope(|scope| {
            for work in work {
                scope.spawn(move || {
                    let mut tiles = Tiles::default();
                    work.into_iter().for_each(|(rows, out)| self.chunk(rows, out, &mut tiles));
                });
            }
        });
    }

    fn chunk(&self, rows: &[f32], out: &mut [MaybeUninit<f32>], tiles: &mut Tiles) {
        let blocks = self.weight.blocks();
        for start in (0..blocks).step_by(DEPTH) {
            let depth = start..(start + DEPTH).min(blocks);
            match self.unit {
                #[cfg(target_arch = "x86_64")]
                Unit::Amx => amx::split(tiles, rows, self.inputs, depth.clone()),
                Unit::Plain => tiles.fill_with_rows(rows, self.inputs, depth.clone(), plain::split),
            }
            for start in (0..self.weight.groups()).step_by(WIDTH) {
                let width = start..(start + WIDTH).min(self.weight.groups());
                let factors = Factors { rows: tiles, columns: &self.weight, depth: depth.clone(), width };
                let bias = (depth.start == 0).then_some(self.bias.as_slice());
                match self.unit {
                    #[cfg(target_arch = "x86_64")]
                    Unit::Amx => amx::multiply(&factors, bias, out, self.outs),
                    Unit::Plain => plain::multiply(&factors, bias, out, self.outs),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;

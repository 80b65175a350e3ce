//! The whole numbers that rows are rounded to from f32, and what is lost.

use crate::processor::wide;
use crate::screen::form::Extent;

/// Bits of a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    /// Four numbers a word, queries without a sign.
    Eight,
    /// Two numbers a word.
    Sixteen,
}

/// A whole number of some bits.
pub(super) trait Number: Copy + Default {
    /// Numbers in a word of 32 bits.
    const IN_WORD: usize;

    /// The largest magnitude with which sums over `dimension` products stay within 32 bits.
    fn largest(dimension: usize) -> f32;

    /// A whole number that is not larger than that.
    fn of(value: f32) -> Self;

    /// [`Self::IN_WORD`] numbers as they lie in memory.
    fn word(numbers: &[Self]) -> u32;
}

impl Number for i8 {
    const IN_WORD: usize = 4;

    fn largest(_: usize) -> f32 {
        127.0
    }

    #[inline(always)]
    fn of(value: f32) -> Self {
        value as i32 as i8
    }

    #[inline(always)]
    fn word(numbers: &[Self]) -> u32 {
        numbers.iter().rev().fold(0, |word, &number| word << 8 | u32::from(number.cast_unsigned()))
    }
}

impl Number for i16 {
    const IN_WORD: usize = 2;

    fn largest(dimension: usize) -> f32 {
        (i32::MAX as usize / dimension).isqrt().min(i16::MAX as usize) as f32
    }

    #[inline(always)]
    fn of(value: f32) -> Self {
        value as i32 as i16
    }

    #[inline(always)]
    fn word(numbers: &[Self]) -> u32 {
        numbers.iter().rev().fold(0, |word, &number| word << 16 | u32::from(number.cast_unsigned()))
    }
}

impl Width {
    /// Words that `dimension` numbers take.
    pub(super) fn words(self, dimension: usize) -> usize {
        dimension.div_ceil(match self {
            Self::Eight => i8::IN_WORD,
            Self::Sixteen => i16::IN_WORD,
        })
    }

    /// What turns the words of numbers into those of a query.
    pub(super) fn sign(self) -> u32 {
        match self {
            Self::Eight => 0x8080_8080,
            Self::Sixteen => 0,
        }
    }

    /// What has to be added to a sum of products with a query because of that; `sum` is the sum of the document's numbers.
    pub(super) fn start(self, sum: i32) -> i32 {
        match self {
            Self::Eight => -128 * sum,
            Self::Sixteen => 0,
        }
    }

    /// Σ z·y over a word of a query and one of a document.
    pub(super) fn product(self, query: u32, document: u32) -> i32 {
        match self {
            Self::Eight => {
                let products = query.to_le_bytes().into_iter().zip(document.to_le_bytes());
                products.map(|(z, y)| i32::from(z) * i32::from(y.cast_signed())).sum()
            }
            Self::Sixteen => {
                let half = |word: u32, shift: u32| i32::from(((word >> shift) as u16).cast_signed());
                half(query, 0) * half(document, 0) + half(query, 16) * half(document, 16)
            }
        }
    }
}

/// Sums that run side by side, so that the compiler keeps them in one vector.
const LANES: usize = 16;

/// Rows with no number as large as this, 2⁻⁶⁰, become zeros.
const LEAST: f32 = 1.0 / (1u64 << 60) as f32;

/// A row in whole numbers.
pub(super) struct Quantised {
    /// What they are to be multiplied by.
    pub scale: f32,
    /// Their sum.
    pub sum: i32,
    pub extent: Extent,
}

/// Memory for one row, used again from row to row.
pub(super) enum Scratch {
    Eight(Vec<i8>),
    Sixteen(Vec<i16>),
}

impl Scratch {
    pub(super) fn new(width: Width, dimension: usize) -> Self {
        let words = width.words(dimension).next_multiple_of(LANES);
        match width {
            Width::Eight => Self::Eight(vec![0; words * i8::IN_WORD]),
            Width::Sixteen => Self::Sixteen(vec![0; words * i16::IN_WORD]),
        }
    }

    /// Rounds `row` and gives the places and words of its numbers to `put`; places that fill up the last word hold zeros.
    pub(super) fn quantise(&mut self, row: &[f32], put: impl FnMut(usize, u32)) -> Quantised {
        match self {
            Self::Eight(numbers) => quantise(row, numbers, put),
            Self::Sixteen(numbers) => quantise(row, numbers, put),
        }
    }
}

fn quantise<N: Number>(row: &[f32], numbers: &mut [N], mut put: impl FnMut(usize, u32)) -> Quantised {
    wide(
        #[inline(always)]
        || {
            let quantised = quantise_all(row, numbers);
            for (place, numbers) in
                numbers.chunks_exact(N::IN_WORD).take(row.len().div_ceil(N::IN_WORD)).enumerate()
            {
                put(place, N::word(numbers));
            }
            quantised
        },
    )
}

#[inline(always)]
fn quantise_all<N: Number>(row: &[f32], numbers: &mut [N]) -> Quantised {
    let (blocks, tail) = row.as_chunks::<LANES>();
    let mut padded = [0.0; LANES];
    padded[..tail.len()].copy_from_slice(tail);
    let blocks = || blocks.iter().chain([&padded]);
    let (mut largest, mut squares) = ([0.0f32; LANES], [0.0f32; LANES]);
    for block in blocks() {
        for lane in 0..LANES {
            largest[lane] = largest[lane].max(block[lane].abs());
            squares[lane] += block[lane] * block[lane];
        }
    }
    let largest = largest.into_iter().fold(0.0, f32::max);
    let levels = N::largest(row.len());
    let (scale, inverse) = if largest >= LEAST { (largest / levels, levels / largest) } else { (1.0, 0.0) };
    let (mut residuals, mut sums) = ([0.0f32; LANES], [0i32; LANES]);
    for (block, slots) in blocks().zip(numbers.as_chunks_mut::<LANES>().0) {
        for lane in 0..LANES {
            let number = (block[lane] * inverse).round_ties_even().clamp(-levels, levels);
            let residual = (-scale).mul_add(number, block[lane]);
            residuals[lane] = residual.mul_add(residual, residuals[lane]);
            sums[lane] += number as i32;
            slots[lane] = N::of(number);
        }
    }
    let extent = Extent::new(squares.iter().sum(), residuals.iter().sum());
    Quantised { scale, sum: sums.iter().sum(), extent }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of a row, its scale, sum and extent.
    fn quantised<N: Number + Into<i32>>(row: &[f32]) -> (Vec<i32>, Quantised) {
        let mut numbers = vec![N::default(); row.len().next_multiple_of(LANES) + LANES];
        let quantised = quantise_all(row, &mut numbers);
        (numbers[..row.len()].iter().map(|&number| number.into()).collect(), quantised)
    }

    /// Known answers: the largest number becomes 127, and ties go to the even number.
    #[test]
    fn numbers_go_to_the_nearest_multiple_of_the_scale() {
        let (numbers, quantised) = quantised::<i8>(&[254.0, -254.0, 3.0, 5.0, -2.2, 0.9, 0.0]);
        assert_eq!(numbers, [127, -127, 2, 2, -1, 0, 0]);
        assert_eq!((quantised.scale, quantised.sum), (2.0, 3));
    }

    #[test]
    fn the_extent_is_at_least_the_norms() {
        let row: Vec<f32> = (0..45).map(|place| (place as f32 * 0.7).sin()).collect();
        let norm =
            |values: &mut dyn Iterator<Item = f64>| values.map(|value| value * value).sum::<f64>().sqrt();
        for (numbers, Quantised { scale, extent, .. }) in [quantised::<i8>(&row), quantised::<i16>(&row)] {
            let whole = norm(&mut row.iter().map(|&value| f64::from(value)));
            let back = numbers.iter().map(|&number| f64::from(scale) * f64::from(number));
            let lost = norm(&mut row.iter().zip(back).map(|(&value, back)| f64::from(value) - back));
            for (bound, exact) in [(extent.norm, whole), (extent.residual, lost)] {
                assert!((1.0..1.01).contains(&(f64::from(bound) / exact)), "{bound} for {exact}");
            }
        }
    }

    #[test]
    fn rows_that_are_tiny_become_zeros_and_those_that_are_not_finite_have_no_finite_extent() {
        let (numbers, tiny) = quantised::<i8>(&[1e-20, -1e-30]);
        assert_eq!(numbers, [0, 0]);
        assert!(tiny.extent.residual >= 1e-20);
        for value in [f32::NAN, f32::INFINITY, f32::MAX, 1e30] {
            assert!(!quantised::<i8>(&[0.0, value]).1.extent.is_finite(), "{value}");
        }
        assert!(quantised::<i16>(&[1e17; 4]).1.extent.is_finite());
    }
}

//! Rounds rows from f32 to whole numbers and measures what is lost.

use super::number::{GROUP, Number, Width};
use crate::processor::wide;
use crate::screen::extent::Extent;

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

/// 1.5 · 2²³: added to a number below 2²², it rounds it to the nearest whole number, of two equally near ones to the even one,
/// and leaves that number in the last bits. A conversion would have to look at numbers that are none, one by one.
const SHIFT: f32 = 12_582_912.0;

/// Words that change places together.
const FOUR: usize = 4;

/// Memory for the rows of a group, used again from group to group.
pub(super) enum Scratch {
    Eight(Vec<i8>),
    Sixteen(Vec<i16>),
}

impl Scratch {
    pub(super) fn new(width: Width, dimension: usize) -> Self {
        let words = GROUP * width.words(dimension).next_multiple_of(LANES);
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

    /// Rounds up to [`GROUP`] rows and lays word i of all of them together in `words[i]`; those of rows that are missing are
    /// zeros.
    pub(super) fn quantise_group<'r>(
        &mut self,
        rows: impl Iterator<Item = &'r [f32]>,
        words: &mut [[u32; GROUP]],
        done: impl FnMut(usize, Quantised),
    ) {
        match self {
            Self::Eight(numbers) => quantise_group(rows, numbers, words, done),
            Self::Sixteen(numbers) => quantise_group(rows, numbers, words, done),
        }
    }
}

fn quantise_group<'r, N: Number>(
    rows: impl Iterator<Item = &'r [f32]>,
    numbers: &mut [N],
    words: &mut [[u32; GROUP]],
    mut done: impl FnMut(usize, Quantised),
) {
    let length = numbers.len() / GROUP;
    let mut count = 0;
    for (row, numbers) in rows.zip(numbers.chunks_exact_mut(length)) {
        done(
            count,
            wide(
                #[inline(always)]
                || quantise_all(row, numbers),
            ),
        );
        count += 1;
    }
    numbers[count * length..].fill(N::default());
    wide(
        #[inline(always)]
        || interleave(numbers, length, words),
    );
}

/// Lays word i of all rows, of `length` numbers each, together in `words[i]`.
#[inline(always)]
fn interleave<N: Number>(numbers: &[N], length: usize, words: &mut [[u32; GROUP]]) {
    let (blocks, rest) = words.as_chunks_mut::<FOUR>();
    let behind = blocks.len();
    let of_rows = |block: usize, part: usize| -> [[u32; FOUR]; FOUR] {
        std::array::from_fn(|row| {
            let start = (part * FOUR + row) * length + block * FOUR * N::IN_WORD;
            let numbers = &numbers[start..start + FOUR * N::IN_WORD];
            std::array::from_fn(|word| N::word(&numbers[word * N::IN_WORD..(word + 1) * N::IN_WORD]))
        })
    };
    for (block, words) in blocks.iter_mut().enumerate() {
        for part in 0..GROUP / FOUR {
            let of_rows = of_rows(block, part);
            for (place, word) in words.iter_mut().enumerate() {
                word.as_chunks_mut().0[part] = of_rows.map(|row| row[place]);
            }
        }
    }
    if rest.is_empty() {
        return;
    }
    for part in 0..GROUP / FOUR {
        // Rows are as long as whole blocks, with zeros behind their end.
        let of_rows = of_rows(behind, part);
        for (place, word) in rest.iter_mut().enumerate() {
            word.as_chunks_mut().0[part] = of_rows.map(|row| row[place]);
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
    let norm = Extent::new(squares.iter().sum(), 0.0).norm;
    let (scale, inverse) = scale::<N>(largest, norm, row.len());
    let (mut residuals, mut sums) = ([0.0f32; LANES], [0i32; LANES]);
    for (block, slots) in blocks().zip(numbers.as_chunks_mut::<LANES>().0) {
        for lane in 0..LANES {
            let shifted = (block[lane] * inverse).clamp(-N::LARGEST, N::LARGEST) + SHIFT;
            let residual = (-scale).mul_add(shifted - SHIFT, block[lane]);
            residuals[lane] = residual.mul_add(residual, residuals[lane]);
            let number = shifted.to_bits().wrapping_sub(SHIFT.to_bits()).cast_signed();
            sums[lane] = sums[lane].wrapping_add(number);
            slots[lane] = N::of(number);
        }
    }
    let extent = Extent::new(squares.iter().sum(), residuals.iter().sum());
    Quantised { scale, sum: sums.into_iter().fold(0, i32::wrapping_add), extent }
}

/// What the whole numbers of a row are to be multiplied by, and its inverse: the finest with which they are small enough.
#[inline(always)]
fn scale<N: Number>(largest: f32, norm: f32, dimension: usize) -> (f32, f32) {
    if largest < LEAST {
        return (1.0, 0.0);
    }
    let scale = (largest / N::LARGEST).max(norm / N::largest_norm(dimension));
    (scale, 1.0 / scale)
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

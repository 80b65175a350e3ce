//! Rounds rows from f32 to bf16 and measures what is lost.

use crate::processor::wide;
use crate::screen::extent::Extent;

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

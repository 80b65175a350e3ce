//! A number of float32 as the sum of three numbers of bf16.

/// Parts of a number.
pub(super) const PARTS: usize = 3;

/// The parts of `number`, largest first. They add up to it exactly, unless it is infinite or a part falls below the smallest
/// number.
#[inline]
pub(super) fn parts(number: f32) -> [u16; PARTS] {
    let first = round(number);
    let rest = number - widen(first);
    let second = round(rest);
    [first, second, round(rest - widen(second))]
}

/// The number that the 16 bits of a bf16 number stand for.
#[inline]
pub(super) fn widen(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

/// The nearest number of bf16, ties to even.
#[inline]
fn round(number: f32) -> u16 {
    const NAN: u16 = 0x7fc0;
    let bits = number.to_bits();
    let rounded = bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16;
    if number.is_nan() { NAN } else { rounded as u16 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_parts_are_the_whole_number() {
        let numbers =
            [0.0, -0.0, 1.0, -1.0 / 3.0, 16_777_215.0, 1.000_000_1, 3.3e-20, -7.77e18, f32::MIN_POSITIVE];
        for number in numbers {
            let [first, second, third] = parts(number).map(widen);
            assert_eq!(f64::from(first) + f64::from(second) + f64::from(third), f64::from(number));
            assert!(second.abs() <= first.abs() / 256.0 && third.abs() <= second.abs() / 256.0, "{number}");
        }
    }

    #[test]
    fn what_is_no_number_stays_none() {
        for bits in [0x7fc0_0000, 0x7fff_ffff, 0xffff_ffff, 0x7f80_0001] {
            assert!(widen(parts(f32::from_bits(bits))[0]).is_nan());
        }
    }
}

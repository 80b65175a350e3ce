//! Eight running sums in double precision, held in the registers of the processor.

use pulp::{Simd, WithSimd};

/// Numbers that are multiplied at once.
pub(super) const LANES: usize = 8;

/// Eight `f64` side by side. A product of two `f32` is exact in `f64`, so that the sums are the same bits on every processor.
pub(super) trait Eight: Copy {
    /// What holds the eight.
    type Numbers: Copy;

    /// Eight `f32` as `f64`.
    fn widen(self, numbers: &[f32; LANES]) -> Self::Numbers;

    /// The sums, each with a product added.
    fn multiply_add(self, left: Self::Numbers, right: Self::Numbers, sums: Self::Numbers) -> Self::Numbers;

    /// The eight, first to last.
    fn numbers(self, sums: Self::Numbers) -> [f64; LANES];
}

/// Work on rows that is compiled once for each kind of processor.
pub(super) trait Job {
    /// What it gives.
    type Output;

    /// Does the work with `eight`. To be `#[inline(always)]`, as is all that it calls.
    fn run<E: Eight>(self, eight: E) -> Self::Output;
}

/// Does the job with the widest registers of this processor.
pub(super) fn dispatch<J: Job>(job: J) -> J::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(simd) = pulp::x86::V4::try_new() {
            return Simd::vectorize(simd, With { job, eight: simd });
        }
        if let Some(simd) = pulp::x86::V3::try_new() {
            return Simd::vectorize(simd, With { job, eight: simd });
        }
    }
    pulp::Arch::new().dispatch(With { job, eight: Plain })
}

struct With<J, E> {
    job: J,
    eight: E,
}

impl<J: Job, E: Eight> WithSimd for With<J, E> {
    type Output = J::Output;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Self::Output {
        self.job.run(self.eight)
    }
}

#[cfg(target_arch = "x86_64")]
impl Eight for pulp::x86::V4 {
    type Numbers = pulp::f64x8;

    #[inline(always)]
    fn widen(self, numbers: &[f32; LANES]) -> Self::Numbers {
        self.convert_f32x8_to_f64x8(pulp::cast(*numbers))
    }

    #[inline(always)]
    fn multiply_add(self, left: Self::Numbers, right: Self::Numbers, sums: Self::Numbers) -> Self::Numbers {
        self.mul_add_f64x8(left, right, sums)
    }

    #[inline(always)]
    fn numbers(self, sums: Self::Numbers) -> [f64; LANES] {
        pulp::cast(sums)
    }
}

#[cfg(target_arch = "x86_64")]
impl Eight for pulp::x86::V3 {
    type Numbers = [pulp::f64x4; 2];

    #[inline(always)]
    fn widen(self, numbers: &[f32; LANES]) -> Self::Numbers {
        let halves: [pulp::f32x4; 2] = pulp::cast(*numbers);
        halves.map(|half| self.convert_f32x4_to_f64x4(half))
    }

    #[inline(always)]
    fn multiply_add(self, left: Self::Numbers, right: Self::Numbers, sums: Self::Numbers) -> Self::Numbers {
        [0, 1].map(|half| self.mul_add_f64x4(left[half], right[half], sums[half]))
    }

    #[inline(always)]
    fn numbers(self, sums: Self::Numbers) -> [f64; LANES] {
        pulp::cast(sums)
    }
}

/// Any other processor.
#[derive(Clone, Copy)]
struct Plain;

impl Eight for Plain {
    type Numbers = [f64; LANES];

    #[inline(always)]
    fn widen(self, numbers: &[f32; LANES]) -> Self::Numbers {
        numbers.map(f64::from)
    }

    #[inline(always)]
    fn multiply_add(self, left: Self::Numbers, right: Self::Numbers, sums: Self::Numbers) -> Self::Numbers {
        std::array::from_fn(|place| left[place] * right[place] + sums[place])
    }

    #[inline(always)]
    fn numbers(self, sums: Self::Numbers) -> [f64; LANES] {
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Products<'a>(&'a [[f32; LANES]]);

    impl Job for Products<'_> {
        type Output = [u64; LANES];

        #[inline(always)]
        fn run<E: Eight>(self, eight: E) -> Self::Output {
            let mut sums = eight.widen(&[0.0; LANES]);
            for block in self.0 {
                let numbers = eight.widen(block);
                sums = eight.multiply_add(numbers, numbers, sums);
            }
            eight.numbers(sums).map(f64::to_bits)
        }
    }

    #[test]
    fn every_processor_gives_the_same_bits() {
        let blocks: Vec<[f32; LANES]> = (0..40)
            .map(|block| std::array::from_fn(|place| ((block * LANES + place) as f32).sin()))
            .collect();
        let plain = Products(&blocks).run(Plain);
        assert_eq!(dispatch(Products(&blocks)), plain);
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = pulp::x86::V3::try_new() {
            assert_eq!(Products(&blocks).run(simd), plain);
        }
    }
}

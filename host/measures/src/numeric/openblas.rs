//! Sums in the order of OpenBLAS, with which numpy multiplies vectors.
//!
//! Where its kernels differ from processor to processor, these are those of AVX-512 (protocol 5).

use pulp::{Arch, Simd, WithSimd};

/// Numbers in a vector of the widest kernel.
const WIDE: usize = 16;

/// Numbers in a vector of the others.
const LANES: usize = 8;

/// Vectors that are summed side by side.
const SIDE: usize = 4;

/// Rows that `sgemv` takes at once.
const BLOCK: usize = 4096;

/// `numpy.dot` of two vectors, bit for bit: `sdot` of OpenBLAS 0.3.31. Fewer than 32 numbers have the same sum on all x86-64 processors.
pub fn dot(left: &[f32], right: &[f32]) -> f32 {
    debug_assert_eq!(left.len(), right.len());
    Arch::new().dispatch(Dot { left, right })
}

/// How `sgemv` adds up a row, by the place of the row among all: it takes four rows at once, then two, then one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kernel {
    Four,
    Two,
    One,
}

/// The sum of row `place` of `count` as `matrix @ ones` of numpy gives it, bit for bit; the same on all x86-64 processors.
pub fn row_sum(row: &[f32], place: usize, count: usize) -> f32 {
    let kernel = match count - count % 4 {
        four if place < four => Kernel::Four,
        four if count - four >= 2 && place < four + 2 => Kernel::Two,
        _ => Kernel::One,
    };
    let (whole, tail) = row.split_at(row.len() - row.len() % 4);
    let total = whole.chunks(BLOCK).fold(0.0, |total, block| total + kernel.sum(block));
    tail.iter().copied().reduce(|sum, value| sum + value).map_or(total, |tail| total + tail)
}

impl Kernel {
    /// The sum of a block whose length four divides.
    fn sum(self, block: &[f32]) -> f32 {
        let (odd, eights) = block.split_at(block.len() % LANES);
        let mut lanes = [0.0f32; LANES];
        if self == Self::Two {
            block.as_chunks::<4>().0.iter().for_each(|four| add(&mut lanes[..4], four));
        } else {
            add(&mut lanes[..odd.len()], odd);
            eights.as_chunks::<LANES>().0.iter().for_each(|eight| add(&mut lanes, eight));
        }
        by_pairs(fold_halves(lanes))
    }
}

struct Dot<'a> {
    left: &'a [f32],
    right: &'a [f32],
}

impl WithSimd for Dot<'_> {
    type Output = f32;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> f32 {
        let Self { left, right } = self;
        let even = left.len() - left.len() % (SIDE * LANES);
        let wide = even - even % (SIDE * WIDE);
        let mut wide_sums = [[0.0f32; WIDE]; SIDE];
        for start in (0..wide).step_by(SIDE * WIDE) {
            for (number, sums) in wide_sums.iter_mut().enumerate() {
                let place = start + number * WIDE;
                add_products(sums, &left[place..place + WIDE], &right[place..place + WIDE]);
            }
        }
        let mut sums =
            wide_sums.map(|sums| std::array::from_fn::<f32, LANES, _>(|i| sums[i] + sums[i + LANES]));
        for start in (wide..even).step_by(SIDE * LANES) {
            for (number, sums) in sums.iter_mut().enumerate() {
                let place = start + number * LANES;
                add_products(sums, &left[place..place + LANES], &right[place..place + LANES]);
            }
        }
        let [mut total, others @ ..] = sums;
        others.iter().for_each(|other| add(&mut total, other));
        let tail = left[even..].iter().zip(&right[even..]);
        let tail = tail.fold(0.0f64, |sum, (&x, &y)| sum + f64::from(x * y));
        (tail + f64::from(by_pairs(fold_halves(total)))) as f32
    }
}

#[inline(always)]
fn add_products(sums: &mut [f32], left: &[f32], right: &[f32]) {
    for ((sum, &x), &y) in sums.iter_mut().zip(left).zip(right) {
        *sum = x.mul_add(y, *sum);
    }
}

#[inline(always)]
fn add(sums: &mut [f32], values: &[f32]) {
    sums.iter_mut().zip(values).for_each(|(sum, &value)| *sum += value);
}

#[inline(always)]
fn fold_halves(lanes: [f32; LANES]) -> [f32; 4] {
    std::array::from_fn(|i| lanes[i] + lanes[i + 4])
}

#[inline(always)]
fn by_pairs([a, b, c, d]: [f32; 4]) -> f32 {
    (a + b) + (c + d)
}

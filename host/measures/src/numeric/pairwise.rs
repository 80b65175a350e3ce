//! numpy's pairwise sum, and the mean and standard deviation built on it.

use std::ops::{Add, Div, Mul, Sub};

/// Running totals of one block; numpy unrolls its inner loop by this much.
const LANES: usize = 8;

/// Most values that are added without splitting.
const BLOCK: usize = 128;

/// `numpy.sum` of a contiguous array, bit for bit; 0 if there is no value.
pub fn sum<F: Float>(values: &[F]) -> F {
    F::ZERO + pairwise(values)
}

/// `numpy.mean` of a contiguous array, bit for bit; NaN if there is no value.
pub fn mean<F: Float>(values: &[F]) -> F {
    sum(values) / F::from_count(values.len())
}

/// `numpy.std` of a contiguous array (the population's), bit for bit; NaN if there is no value.
pub fn standard_deviation<F: Float>(values: &[F]) -> F {
    let mean = mean(values);
    let squares: Vec<F> = values.iter().map(|&value| (value - mean) * (value - mean)).collect();
    self::mean(&squares).square_root()
}

/// The sum that `numpy.add.reduceat` gives for one group: the first value plus the pairwise sum of the rest.
pub fn group_sum<F: Float>(values: &[F]) -> F {
    match values {
        [] => F::ZERO,
        [only] => *only,
        [first, rest @ ..] => *first + pairwise(rest),
    }
}

fn pairwise<F: Float>(values: &[F]) -> F {
    if values.len() < LANES {
        return values.iter().fold(F::ZERO, |total, &value| total + value);
    }
    if values.len() <= BLOCK {
        return block(values);
    }
    let half = values.len() / 2;
    let (left, right) = values.split_at(half - half % LANES);
    pairwise(left) + pairwise(right)
}

fn block<F: Float>(values: &[F]) -> F {
    let (rows, rest) = values.as_chunks::<LANES>();
    let mut lanes = rows[0];
    for row in &rows[1..] {
        for (lane, &value) in lanes.iter_mut().zip(row) {
            *lane = *lane + value;
        }
    }
    let [a, b, c, d, e, f, g, h] = lanes;
    let total = ((a + b) + (c + d)) + ((e + f) + (g + h));
    rest.iter().fold(total, |total, &value| total + value)
}

/// A floating-point type whose sums follow numpy's order: `f32` or `f64`.
pub trait Float:
    Copy + PartialOrd + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// Zero.
    const ZERO: Self;

    /// `count` as this type.
    fn from_count(count: usize) -> Self;

    /// Square root.
    fn square_root(self) -> Self;
}

impl Float for f32 {
    const ZERO: Self = 0.0;

    fn from_count(count: usize) -> Self {
        count as Self
    }

    fn square_root(self) -> Self {
        self.sqrt()
    }
}

impl Float for f64 {
    const ZERO: Self = 0.0;

    fn from_count(count: usize) -> Self {
        count as Self
    }

    fn square_root(self) -> Self {
        self.sqrt()
    }
}

//! What `f32` and `f64` have in common here.

use std::ops::{Add, Div, Mul, Sub};

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

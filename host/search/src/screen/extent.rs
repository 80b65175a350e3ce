//! Upper bounds of a row's norm and of what rounding took from it, and the error of a score that follows.

/// Norms above this are left to the product in f32, so that no sum overflows.
const LARGEST_NORM: f32 = (1u64 << 60) as f32;

/// Longest rows whose errors the slack below covers.
pub(crate) const LARGEST_DIMENSION: usize = 1 << 15;

/// Relative slack of a norm: covers the rounding of the sum of squares and of everything computed from it.
const SLACK: f32 = 1.0 + 1.0 / 256.0;

/// Absolute slack of a norm, 2⁻⁶⁴: covers squares that underflow.
const LEAST: f32 = 1.0 / (1u128 << 64) as f32;

/// Absolute slack of a score, 2⁻¹⁰⁰: covers products and sums that underflow.
const LEAST_ERROR: f32 = 1.0 / (1u128 << 100) as f32;

/// Upper bounds of norms, of one row or of the largest of several.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Extent {
    /// ‖x‖; infinite if any number is not finite or too large.
    pub norm: f32,
    /// ‖x − bf16(x)‖.
    pub residual: f32,
}

impl Extent {
    /// From the sums of squares of a row and of its residuals, as computed in f32.
    pub(crate) fn new(squares: f32, residual_squares: f32) -> Self {
        let norm = |squares: f32| squares.sqrt() * SLACK + LEAST;
        let (norm, residual) = (norm(squares), norm(residual_squares));
        if norm <= LARGEST_NORM && residual <= LARGEST_NORM {
            Self { norm, residual }
        } else {
            Self { norm: f32::INFINITY, residual: f32::INFINITY }
        }
    }

    /// Bounds for the rows of both.
    pub(crate) fn max(self, other: Self) -> Self {
        Self { norm: self.norm.max(other.norm), residual: self.residual.max(other.residual) }
    }

    /// Whether the bounds hold: all numbers are finite and not too large.
    pub(crate) fn is_finite(self) -> bool {
        self.norm <= LARGEST_NORM
    }

    /// The most by which a screened score of this row with a row of `other` differs from the score in f32.
    pub(crate) fn error(self, other: Self, dimension: usize) -> f32 {
        let rounding = 4.0 * (dimension + 64) as f32 * (f32::EPSILON / 2.0);
        let rounded = (self.norm + self.residual, other.norm + other.residual);
        self.residual * other.norm
            + rounded.0 * other.residual
            + rounding * rounded.0 * rounded.1
            + LEAST_ERROR
    }
}

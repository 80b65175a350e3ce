//! Kendall's rank correlation.

use super::degenerate::is_degenerate;

/// Kendall's τ-b of `left` and `right`, which must be equally long: how much oftener two places stand in the same order than
/// in the opposite one, ties taken into account.
///
/// In [-1, 1]; NaN if either list is constant, holds a NaN, or has fewer than two values. Takes time in the square of the length.
/// Source: scipy's `kendalltau`.
pub fn kendall(left: &[f64], right: &[f64]) -> f64 {
    debug_assert_eq!(left.len(), right.len());
    if is_degenerate(left) || is_degenerate(right) {
        return f64::NAN;
    }
    let (mut same, mut opposite, mut tied_left, mut tied_right) = (0_u64, 0_u64, 0_u64, 0_u64);
    for (place, (&a, &b)) in left.iter().zip(right).enumerate() {
        for (&c, &d) in left[..place].iter().zip(&right[..place]) {
            match (a == c, b == d) {
                (true, true) => {}
                (true, false) => tied_left += 1,
                (false, true) => tied_right += 1,
                (false, false) if (a < c) == (b < d) => same += 1,
                (false, false) => opposite += 1,
            }
        }
    }
    let ordered = (same + opposite) as f64;
    let scale = (ordered + tied_left as f64).sqrt() * (ordered + tied_right as f64).sqrt();
    ((same as f64 - opposite as f64) / scale).clamp(-1.0, 1.0)
}

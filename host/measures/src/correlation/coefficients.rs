//! Pearson's, Spearman's and Kendall's correlation of two score lists, with two-sided p-values.

use statrs::function::beta::beta_reg;

use crate::numeric::{mean, sum};

/// Pearson's correlation of `left` and `right`, which must be equally long.
///
/// In [-1, 1]; NaN if either list is constant, holds a NaN, or has fewer than two values. Both lists are centred
/// and scaled to length 1 before they are multiplied, as scipy's `pearsonr` does, so neither large nor tiny
/// values lose the result.
pub fn pearson(left: &[f64], right: &[f64]) -> f64 {
    debug_assert_eq!(left.len(), right.len());
    if is_degenerate(left) || is_degenerate(right) {
        return f64::NAN;
    }
    let (left, right) = (unit(left), unit(right));
    let products: Vec<f64> = left.iter().zip(&right).map(|(left, right)| left * right).collect();
    let correlation = sum(&products).clamp(-1.0, 1.0);
    // Two points always lie on a line, so all but the sign is rounding noise.
    if left.len() == 2 { correlation.round() } else { correlation }
}

/// `values` minus their mean, scaled to Euclidean length 1.
fn unit(values: &[f64]) -> Vec<f64> {
    let centre = mean(values);
    let mut centred: Vec<f64> = values.iter().map(|value| value - centre).collect();
    let largest = centred.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    let squares: Vec<f64> = centred.iter().map(|value| (value / largest).powi(2)).collect();
    let length = largest * sum(&squares).sqrt();
    centred.iter_mut().for_each(|value| *value /= length);
    centred
}

/// Spearman's correlation of `left` and `right`, which must be equally long: Pearson's of their average ranks.
///
/// In [-1, 1]; NaN if either list is constant, holds a NaN, or has fewer than two values. Source: scipy's
/// `spearmanr`.
pub fn spearman(left: &[f64], right: &[f64]) -> f64 {
    if is_degenerate(left) || is_degenerate(right) {
        return f64::NAN;
    }
    pearson(&average_ranks(left), &average_ranks(right))
}

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

/// The probability that uncorrelated normal data of `count` pairs gives a Pearson correlation at least as far
/// from 0 as `correlation`.
///
/// scipy's `pearsonr` takes it from the symmetric beta distribution with parameter `count`/2 − 1 on [-1, 1]; the
/// tail of that distribution equals the regularised incomplete beta function I(1 − r²; `count`/2 − 1, 1/2).
/// 1 for two pairs; NaN for a NaN or fewer pairs.
pub fn pearson_p_value(correlation: f64, count: usize) -> f64 {
    if count == 2 && !correlation.is_nan() { 1.0 } else { two_sided_p_value(correlation, count) }
}

/// The two-sided p-value of a Spearman correlation over `count` pairs.
///
/// scipy's `spearmanr` takes it from Student's t with `count` − 2 degrees of freedom at
/// r·√((`count` − 2)/((1 + r)(1 − r))); the two tails equal I(1 − r²; `count`/2 − 1, 1/2). NaN for a NaN or fewer
/// than three pairs, where there is no degree of freedom left.
pub fn spearman_p_value(correlation: f64, count: usize) -> f64 {
    two_sided_p_value(correlation, count)
}

fn two_sided_p_value(correlation: f64, count: usize) -> f64 {
    if correlation.is_nan() || count < 3 {
        return f64::NAN;
    }
    let freedom = (count - 2) as f64;
    let explained = correlation * correlation;
    // Below this share the other tail is the one that neither 1 − r² nor the continued fraction spoils.
    if explained < 3.0 / (freedom + 5.0) {
        1.0 - beta_reg(0.5, freedom / 2.0, explained)
    } else {
        let unexplained = ((1.0 - correlation) * (1.0 + correlation)).clamp(0.0, 1.0);
        beta_reg(freedom / 2.0, 0.5, unexplained)
    }
}

/// The rank of every value, 1 for the smallest; tied values get the mean of their ranks.
///
/// `values` must hold no NaN. Source: scipy's `rankdata` with the method `average`.
pub fn average_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<(f64, usize)> =
        values.iter().enumerate().map(|(index, &value)| (value + 0.0, index)).collect();
    // Adding 0.0 turned -0.0 into 0.0, so that the total order and `==` agree on what ties.
    order.sort_unstable_by(|left, right| left.0.total_cmp(&right.0));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    for tied in order.chunk_by(|left, right| left.0 == right.0) {
        let end = start + tied.len();
        let rank = (start + end + 1) as f64 / 2.0;
        tied.iter().for_each(|&(_, index)| ranks[index] = rank);
        start = end;
    }
    ranks
}

/// True if `values` has no correlation with anything: fewer than two values, a NaN, or all values equal.
fn is_degenerate(values: &[f64]) -> bool {
    values.len() < 2
        || values.iter().any(|value| value.is_nan())
        || values.iter().all(|value| *value == values[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tied_values_share_the_mean_of_their_ranks() {
        assert_eq!(average_ranks(&[0.0, 2.0, 3.0, 2.0]), [1.0, 2.5, 4.0, 2.5]);
        assert_eq!(average_ranks(&[5.0, 5.0, 5.0]), [2.0, 2.0, 2.0]);
        assert_eq!(average_ranks(&[]), [0.0; 0]);
    }

    #[test]
    fn negative_zero_ties_with_zero() {
        assert_eq!(average_ranks(&[0.0, -0.0, -1.0]), [2.5, 2.5, 1.0]);
    }
}

//! Correlations of two score lists, with their p-values, and the agreement of several judges.
//!
//! The correlations follow scipy 1.17 (`pearsonr`, `spearmanr`, `kendalltau`), of which the evaluation protocol (6.7, 6.10) rests on
//! the first two.

use std::collections::BTreeMap;

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

/// Krippendorff's α of judges who gave numbers on an interval scale; `units` holds the numbers that each unit got, as many as
/// judges saw it. Units that fewer than two judges saw say nothing of agreement and are skipped.
///
/// At most 1, which is full agreement; 0 is agreement by chance; NaN if all numbers are equal or no unit has two. Source:
/// Krippendorff 2004, "Content Analysis", chapter 11, with the squared difference.
pub fn krippendorff_interval<'a>(units: impl Iterator<Item = &'a [f64]> + Clone) -> f64 {
    let units = units.filter(|unit| unit.len() > 1);
    let (mut count, mut total) = (0.0, 0.0);
    for unit in units.clone() {
        count += unit.len() as f64;
        total += unit.iter().sum::<f64>();
    }
    if count == 0.0 {
        return f64::NAN;
    }
    // Differences do not change when all numbers move; squares of small numbers lose less.
    let centre = total / count;
    let (mut observed, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for unit in units {
        let (unit_sum, unit_squares) = unit.iter().fold((0.0, 0.0), |(sum, squares), value| {
            let value = value - centre;
            (sum + value, squares + value * value)
        });
        let size = unit.len() as f64;
        observed += differences(size, unit_sum, unit_squares) / (size - 1.0);
        sum += unit_sum;
        squares += unit_squares;
    }
    let expected = differences(count, sum, squares) / (count - 1.0);
    if expected > 0.0 { 1.0 - observed / expected } else { f64::NAN }
}

/// The squared differences of all ordered pairs of `count` numbers.
fn differences(count: f64, sum: f64, squares: f64) -> f64 {
    2.0 * (count * squares - sum * sum)
}

/// Krippendorff's α of judges who gave labels, as numbers, which are the same or not; else as [`krippendorff_interval`].
pub fn krippendorff_nominal<'a>(units: impl Iterator<Item = &'a [f64]>) -> f64 {
    let (mut count, mut observed, mut labels) = (0.0, 0.0, BTreeMap::new());
    for unit in units.filter(|unit| unit.len() > 1) {
        let mut own = BTreeMap::new();
        unit.iter().for_each(|label| *own.entry(label.to_bits()).or_insert(0.0) += 1.0);
        let size = unit.len() as f64;
        count += size;
        observed += unequal_pairs(size, own.values()) / (size - 1.0);
        own.into_iter().for_each(|(label, number)| *labels.entry(label).or_insert(0.0) += number);
    }
    let expected = unequal_pairs(count, labels.values()) / (count - 1.0);
    if expected > 0.0 { 1.0 - observed / expected } else { f64::NAN }
}

/// The ordered pairs of different labels among `count` labels, of which so many are the same each.
fn unequal_pairs<'a>(count: f64, numbers: impl Iterator<Item = &'a f64>) -> f64 {
    count * count - numbers.map(|number| number * number).sum::<f64>()
}

#[cfg(test)]
mod tests {
    //! Correlations and p-values beside scipy (fixture from `tests/golden/correlation/make.py`).

    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;
    use crate::golden::section_of;

    fn golden(section: &str) -> Vec<Value> {
        section_of("correlation/correlation.json", section)
    }

    fn numbers(value: &Value) -> Vec<f64> {
        value.as_array().expect("a list").iter().map(|value| value.as_f64().unwrap_or(f64::NAN)).collect()
    }

    /// Equal up to `tolerance`, taken relative to 1 or to the expected value, whichever is larger; NaN equals NaN.
    fn assert_close(found: f64, expected: f64, tolerance: f64, what: &str) {
        let same = (found.is_nan() && expected.is_nan())
            || (found - expected).abs() <= tolerance * expected.abs().max(1.0);
        assert!(same, "{what}: expected {expected}, found {found}");
    }

    #[test]
    fn correlations_equal_scipy() {
        for (index, case) in golden("cases").iter().enumerate() {
            let (x, y) = (numbers(&case["x"]), numbers(&case["y"]));
            let what = |name| format!("case {index}, {name}");
            assert_eq!(average_ranks(&x), numbers(&case["ranks"]), "case {index}, ranks");
            assert_close(pearson(&x, &y), numbers(&case["pearson"])[0], 1e-14, &what("pearson"));
            assert_close(spearman(&x, &y), numbers(&case["spearman"])[0], 1e-14, &what("spearman"));
        }
    }

    #[test]
    fn p_values_of_whole_lists_equal_scipy() {
        for (index, case) in golden("cases").iter().enumerate() {
            for (name, p_value) in
                [("pearson", pearson_p_value as fn(f64, usize) -> f64), ("spearman", spearman_p_value)]
            {
                let expected = numbers(&case[name]);
                let found = p_value(expected[0], numbers(&case["x"]).len());
                assert_close(found, expected[1], 1e-12, &format!("case {index}, {name}"));
            }
        }
    }

    #[test]
    fn p_values_equal_scipy_for_three_to_a_hundred_thousand_pairs() {
        for case in golden("p_values") {
            let case = numbers(&case);
            let (count, correlation) = (case[0] as usize, case[1]);
            let what = format!("n = {count}, r = {correlation}");
            // scipy itself is 6e-10 off the true value for three pairs and a correlation of 1e-9.
            assert_close(pearson_p_value(correlation, count), case[2], 1e-9, &what);
            assert_close(spearman_p_value(correlation, count), case[3], 1e-9, &what);
        }
    }

    #[test]
    fn lists_that_correlate_with_nothing_give_nan() {
        let rising = [1.0, 2.0, 3.0];
        for other in [[4.0; 3], [f64::NAN, 1.0, 2.0]] {
            assert!(pearson(&rising, &other).is_nan());
            assert!(spearman(&other, &rising).is_nan());
        }
        assert!(pearson(&[1.0], &[2.0]).is_nan());
        assert!(pearson_p_value(f64::NAN, 5).is_nan());
        assert!(spearman_p_value(1.0, 2).is_nan());
    }

    proptest! {
        #[test]
        fn spearman_sees_the_order_alone(values in prop::collection::vec((-100i32..100, -100i32..100), 3..40)) {
            let (x, y): (Vec<f64>, Vec<f64>) = values.iter().map(|&(x, y)| (f64::from(x), f64::from(y))).unzip();
            let stretched: Vec<f64> = x.iter().map(|x| x.powi(3) + 7.0).collect();
            let (plain, bent) = (spearman(&x, &y), spearman(&stretched, &y));
            prop_assert!(plain.is_nan() && bent.is_nan() || plain == bent);
        }

        #[test]
        fn correlations_are_symmetric_and_bounded(values in prop::collection::vec((-1e3..1e3, -1e3..1e3), 2..40)) {
            let (x, y): (Vec<f64>, Vec<f64>) = values.into_iter().unzip();
            let correlation = pearson(&x, &y);
            prop_assert!(correlation.is_nan() || correlation.abs() <= 1.0);
            prop_assert!(correlation.is_nan() || correlation == pearson(&y, &x));
        }

        #[test]
        fn ranks_sum_to_those_of_distinct_values(values in prop::collection::vec(-5i32..5, 1..50)) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            let count = values.len() as f64;
            prop_assert_eq!(average_ranks(&values).iter().sum::<f64>(), count * (count + 1.0) / 2.0);
        }
    }

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

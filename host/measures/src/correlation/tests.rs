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

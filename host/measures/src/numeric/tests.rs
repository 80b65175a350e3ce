//! Sums, rounding and text forms beside numpy and CPython (fixtures from `tests/golden/numeric/make.py`).

use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::golden::section_of;

fn golden(section: &str) -> Vec<Value> {
    section_of("numeric/numeric.json", section)
}

/// The same values that the fixture's script makes: a linear congruential generator, spread over many magnitudes.
fn values(seed: u64, count: usize) -> Vec<f64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        state >> 33
    };
    (0..count)
        .map(|_| {
            let mantissa = next() as f64 / 2f64.powi(31) - 0.5;
            mantissa * 2f64.powi((next() % 40) as i32 - 20)
        })
        .collect()
}

fn bits(case: &Value, key: &str) -> u64 {
    let text = case[key].as_str().expect("bits are hexadecimal text");
    u64::from_str_radix(text, 16).expect("hexadecimal")
}

#[test]
fn sums_means_and_deviations_equal_numpy_bit_for_bit() {
    for case in golden("sums") {
        let (seed, count) = (case["seed"].as_u64().unwrap(), case["count"].as_u64().unwrap() as usize);
        let doubles = values(seed, count);
        let singles: Vec<f32> = doubles.iter().map(|&value| value as f32).collect();
        assert_eq!(sum(&doubles).to_bits(), bits(&case, "sum64"), "sum of {count}");
        assert_eq!(mean(&doubles).to_bits(), bits(&case, "mean64"), "mean of {count}");
        assert_eq!(standard_deviation(&doubles).to_bits(), bits(&case, "std64"), "std of {count}");
        assert_eq!(group_sum(&doubles).to_bits(), bits(&case, "group64"), "reduceat of {count}");
        assert_eq!(
            sequential_sum(doubles.iter().copied()).to_bits(),
            bits(&case, "python"),
            "sum() of {count}"
        );
        assert_eq!(sum(&singles).to_bits() as u64, bits(&case, "sum32"), "f32 sum of {count}");
        assert_eq!(mean(&singles).to_bits() as u64, bits(&case, "mean32"), "f32 mean of {count}");
        assert_eq!(standard_deviation(&singles).to_bits() as u64, bits(&case, "std32"), "f32 std of {count}");
        assert_eq!(group_sum(&singles).to_bits() as u64, bits(&case, "group32"), "f32 reduceat of {count}");
    }
}

#[test]
fn rounding_equals_python_and_numpy_on_ties_and_near_them() {
    for case in golden("rounds") {
        let value = f64::from_bits(bits(&case, "value"));
        let digits = case["digits"].as_u64().unwrap();
        let python = python_round(value, digits as usize);
        assert_eq!(python.to_bits(), bits(&case, "python"), "round({value:?}, {digits}) gave {python:?}");
        let numpy = numpy_round(value, digits as u32);
        assert_eq!(numpy.to_bits(), bits(&case, "numpy"), "numpy.round({value:?}, {digits}) gave {numpy:?}");
    }
}

#[test]
fn text_forms_equal_pythons_repr() {
    for case in golden("reprs") {
        let value = f64::from_bits(bits(&case, "value"));
        assert_eq!(python_repr(value), case["repr"].as_str().unwrap());
    }
}

#[test]
fn nothing_sums_to_zero_and_has_no_mean() {
    assert_eq!(sum::<f64>(&[]), 0.0);
    assert_eq!(group_sum::<f32>(&[]), 0.0);
    assert!(mean::<f64>(&[]).is_nan());
    assert!(sequential_mean(&[]).is_nan());
}

#[test]
fn infinite_values_pass_through_rounding() {
    assert_eq!(python_round(f64::INFINITY, 5), f64::INFINITY);
    assert!(python_round(f64::NAN, 5).is_nan());
}

proptest! {
    #[test]
    fn a_rounded_number_is_near_and_stays(value in -1e6..1e6, digits in 0usize..9) {
        let rounded = python_round(value, digits);
        prop_assert!((rounded - value).abs() <= 0.5 * 10f64.powi(-(digits as i32)) + 1e-9);
        prop_assert_eq!(python_round(rounded, digits), rounded);
    }

    #[test]
    fn every_order_of_additions_gives_nearly_one_sum(values in prop::collection::vec(-1e3..1e3, 0..400)) {
        let (pairwise, sequential) = (sum(&values), sequential_sum(values.iter().copied()));
        prop_assert!((pairwise - sequential).abs() < 1e-8);
        prop_assert!((group_sum(&values) - sequential).abs() < 1e-8);
    }

    #[test]
    fn the_mean_lies_between_the_extremes(values in prop::collection::vec(-1e3..1e3, 1..400)) {
        let (low, high) = values.iter().fold((f64::MAX, f64::MIN), |(low, high), &value| (low.min(value), high.max(value)));
        prop_assert!((low - 1e-9..=high + 1e-9).contains(&mean(&values)));
        prop_assert!((0.0..=high - low + 1e-9).contains(&standard_deviation(&values)));
    }

    #[test]
    fn a_text_form_reads_back_as_the_same_number(value in any::<f64>()) {
        let read: Option<f64> = python_repr(value).parse().ok();
        prop_assert!(value.is_nan() || read == Some(value));
    }
}

/// Numbers of the generator of `make_openblas.py`, all of which are exact in `f32`.
fn numbers(seed: u64, count: usize) -> Vec<u64> {
    let next = |state: &u64| Some(state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407));
    std::iter::successors(next(&seed), next).take(count).map(|state| state >> 40).collect()
}

/// The cases of `openblas.json` that have `key`: their shape, their numbers and what numpy found.
fn openblas(key: &str) -> Vec<(Vec<usize>, u64, Vec<u64>)> {
    let whole = |value: &Value| value.as_u64().expect("a whole number");
    let all = |value: &Value| {
        value.as_array().map_or_else(|| vec![whole(value)], |cells| cells.iter().map(whole).collect())
    };
    let cases = crate::golden::fixture::<Vec<Value>>("numeric/openblas.json");
    let cases: Vec<_> = cases
        .iter()
        .filter_map(|case| {
            Some((
                all(case.get(key)?).iter().map(|&size| size as usize).collect(),
                whole(&case["seed"]),
                all(&case["found"]),
            ))
        })
        .collect();
    assert!(!cases.is_empty(), "{key}");
    cases
}

fn floats(seed: u64, count: usize) -> Vec<f32> {
    numbers(seed, count).into_iter().map(|number| number as f32 / 65536.0).collect()
}

#[test]
fn products_equal_numpy_dot_bit_for_bit() {
    for (shape, seed, expected) in openblas("dot") {
        let both = floats(seed, 2 * shape[0]);
        let (left, right) = both.split_at(shape[0]);
        assert_eq!(u64::from(dot(left, right).to_bits()), expected[0], "{} numbers", shape[0]);
    }
}

#[test]
fn sums_of_rows_equal_a_product_with_ones_bit_for_bit() {
    for (shape, seed, expected) in openblas("sums") {
        let matrix = floats(seed, shape[0] * shape[1]);
        let rows = matrix.chunks_exact(shape[1]).enumerate();
        let found: Vec<u64> =
            rows.map(|(place, row)| row_sum(row, place, shape[0]).to_bits().into()).collect();
        assert_eq!(found, expected, "{shape:?}");
    }
}

#[test]
fn equal_keys_are_sorted_as_numpy_sorts_them() {
    for (shape, seed, expected) in openblas("order") {
        let keys: Vec<f32> =
            numbers(seed, shape[0]).into_iter().map(|number| (number % shape[1] as u64) as f32).collect();
        let found: Vec<u64> = argsort(&keys).into_iter().map(|place| place as u64).collect();
        assert_eq!(found, expected, "{shape:?}");
    }
}

#[test]
fn four_decimals_are_enough_to_be_the_same_score() {
    assert!(is_among(0.123456, &[0.7, 0.12346]) && is_among(0.5, &[]));
    assert!(!is_among(0.999, &[0.6]));
}

#[test]
fn a_main_score_is_the_mean_of_a_measure_that_all_experiments_have() {
    let experiment = |accuracy: f64| BTreeMap::from([("accuracy".to_owned(), accuracy)]);
    let experiments = [experiment(0.2), experiment(0.4)];
    assert!(is_mean_over(0.3, &experiments) && is_mean_over(0.99, &[]));
    assert!(!is_mean_over(0.4, &experiments));
    assert!(is_mean_over(0.99, &[experiment(0.2), BTreeMap::new()]), "no measure is in both");
}

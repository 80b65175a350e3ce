//! Bins, fits and scores beside pandas, scikit-learn and mteb (fixture from `tests/golden/regress/make.py`).

use proptest::prelude::*;
use serde::Deserialize;

use super::*;
use crate::golden::fixture;
use crate::random::Generator;

#[derive(Deserialize)]
struct Golden {
    bins: Vec<Bins>,
    fits: Vec<Fit>,
}

#[derive(Deserialize)]
struct Bins {
    values: Vec<f64>,
    bins: Vec<u32>,
}

#[derive(Deserialize)]
struct Fit {
    name: String,
    seed: u64,
    dimension: usize,
    copies: usize,
    constant: usize,
    values: Vec<f64>,
    truth: Vec<f64>,
    predicted: Vec<f32>,
    scores: FitScores,
}

#[derive(Deserialize)]
struct FitScores {
    mse: f64,
    mae: f64,
    r2: f64,
    kendalltau: Option<f64>,
    rmse: f64,
}

impl Fit {
    /// Training rows and test rows.
    fn rows(&self) -> (Vec<f32>, Vec<f32>) {
        let mut generator = Generator::new(self.seed);
        let (train, count) = (self.values.len(), self.values.len() + self.truth.len());
        let mut rows: Vec<f32> = (0..count * self.dimension).map(|_| generator.random_f32()).collect();
        if self.constant > 0 {
            let columns = (0..count * self.dimension).map(|place| place % self.dimension);
            rows.iter_mut()
                .zip(columns)
                .filter(|(_, column)| column % self.constant == 0)
                .for_each(|(cell, _)| *cell = 1.0);
        }
        let first = rows[..self.copies * self.dimension].to_vec();
        rows[(train - self.copies) * self.dimension..train * self.dimension].copy_from_slice(&first);
        let test = rows.split_off(train * self.dimension);
        (rows, test)
    }
}

fn golden() -> Golden {
    fixture("regress/regress.json")
}

#[test]
fn bins_equal_those_of_pandas() {
    for (number, case) in golden().bins.iter().enumerate() {
        assert_eq!(quantile_bins(&case.values, 10), case.bins, "case {number}");
    }
}

#[test]
fn predictions_equal_scikit_learn_to_the_last_digits_of_single_precision() {
    for case in golden().fits {
        let (train, test) = case.rows();
        let model = LinearRegression::fit(&train, case.dimension, &case.values).expect("the rows fit");
        let found = model.predict(&test).expect("whole rows");
        let largest = case.predicted.iter().fold(0.0f32, |largest, value| largest.max(value.abs()));
        for (place, (found, expected)) in found.iter().zip(&case.predicted).enumerate() {
            let distance = (found - expected).abs() / largest;
            assert!(distance < 2e-6, "{}, row {place}: expected {expected}, found {found}", case.name);
        }
    }
}

#[test]
fn scores_of_given_predictions_equal_the_reference() {
    for case in golden().fits {
        let found = regression_scores(&case.truth, &case.predicted);
        let expected = case.scores;
        assert_eq!(
            (found.mse, found.mae, found.r2),
            (expected.mse, expected.mae, expected.r2),
            "{}",
            case.name
        );
        assert!((found.rmse - expected.rmse).abs() < 1e-12, "{}", case.name);
        match expected.kendalltau {
            Some(expected) => assert!((found.kendalltau - expected).abs() < 1e-12, "{}", case.name),
            None => assert!(found.kendalltau.is_nan(), "{}", case.name),
        }
    }
}

#[test]
fn numbers_must_form_rows_and_be_finite() {
    let fault = |rows: &[f32], values: &[f64]| {
        LinearRegression::fit(rows, 2, values).expect_err("a fault").to_string()
    };
    assert_eq!(fault(&[1.0, 2.0, 3.0], &[1.0, 2.0]), "expected 2 rows of 2 numbers, found 3 numbers");
    assert_eq!(fault(&[], &[]), "expected 0 rows of 2 numbers, found 0 numbers");
    assert_eq!(fault(&[1.0, f32::NAN], &[1.0]), "expected finite numbers to learn from, found others");
}

#[test]
fn values_that_are_all_equal_are_explained_by_themselves_alone() {
    assert_eq!(regression_scores(&[2.0, 2.0], &[2.0, 2.0]).r2, 1.0);
    assert_eq!(regression_scores(&[2.0, 2.0], &[2.0, 1.0]).r2, 0.0);
    assert!(regression_scores(&[2.0], &[2.0]).r2.is_nan());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Values that lie on a line through the rows are found again.
    #[test]
    fn a_line_is_found(seed in 0u64..1000, slope in -5.0f32..5.0) {
        let mut generator = Generator::new(seed);
        let rows: Vec<f32> = (0..40 * 3).map(|_| generator.random_f32()).collect();
        let values: Vec<f64> = rows.chunks(3).map(|row| f64::from(slope * row[0] - row[2] + 4.0)).collect();
        let found = LinearRegression::fit(&rows, 3, &values).expect("fits").predict(&rows).expect("whole rows");
        for (found, value) in found.iter().zip(values) {
            prop_assert!((f64::from(*found) - value).abs() < 1e-5);
        }
    }
}

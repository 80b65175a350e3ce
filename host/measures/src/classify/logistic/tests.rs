//! Logistic regression beside scikit-learn (fixture from `tests/golden/classify/make_logistic.py`).

use proptest::prelude::*;
use serde::Deserialize;

use super::*;
use crate::golden::fixture;
use crate::random::Generator;

#[derive(Deserialize)]
struct Case {
    name: String,
    seed: u64,
    classes: usize,
    dimension: usize,
    labels: Vec<usize>,
    test: usize,
    spread: f32,
    scale: f32,
    constant: usize,
    iterations: Vec<usize>,
    flips: usize,
    last_weights: Vec<f32>,
    intercepts: Vec<f32>,
    predictions: Vec<usize>,
}

fn cases() -> Vec<Case> {
    fixture("classify/logistic.json")
}

impl Case {
    /// Training rows and test rows.
    fn rows(&self) -> (Vec<f32>, Vec<f32>) {
        let mut generator = Generator::new(self.seed);
        let centres: Vec<f32> = (0..self.classes * self.dimension).map(|_| generator.random_f32()).collect();
        let mut draw = |count: usize| {
            let mut rows = Vec::with_capacity(count * self.dimension);
            for row in 0..count {
                for column in 0..self.dimension {
                    let centre = centres[row % self.classes * self.dimension + column];
                    let value = (generator.random_f32() + self.spread * centre) * self.scale;
                    let is_constant = self.constant > 0 && column % self.constant == 0;
                    rows.push(if is_constant { 1.0 } else { value });
                }
            }
            rows
        };
        (draw(self.labels.len()), draw(self.test))
    }
}

/// Largest difference relative to the largest expected value.
fn distance(found: &[f32], expected: &[f32]) -> f32 {
    assert_eq!(found.len(), expected.len());
    let largest = expected.iter().fold(0.0f32, |largest, value| largest.max(value.abs()));
    found.iter().zip(expected).fold(0.0, |distance, (x, y)| (x - y).abs().max(distance)) / largest
}

/// Where scikit-learn agrees with itself on three processors, so do we. Elsewhere rounding decides when a fit ends, and
/// its weights say nothing; then predictions and iterations are about as far from it as it is from itself.
#[test]
fn iterations_weights_and_predictions_equal_scikit_learn() {
    for case in cases() {
        let (train, test) = case.rows();
        let model = LogisticRegression::fit(&train, case.dimension, &case.labels).expect("the rows fit");
        let (least, most) = (*case.iterations.iter().min().unwrap(), *case.iterations.iter().max().unwrap());
        let slack = most - least;
        let iterations = model.iterations();
        assert!(
            (least.saturating_sub(slack)..=most + slack).contains(&iterations),
            "{}: expected {:?} iterations, found {iterations}",
            case.name,
            case.iterations
        );
        let found = model.predict(&test).expect("whole rows");
        let flips = found.iter().zip(&case.predictions).filter(|(found, expected)| found != expected).count();
        assert!(flips <= 2 * case.flips, "{}: {flips} predictions differ", case.name);
        if slack > 0 || case.flips > 0 {
            continue;
        }
        let last = model.weights(if case.classes == 2 { 0 } else { case.classes - 1 });
        let weights = distance(&last[..case.last_weights.len()], &case.last_weights);
        let intercepts = distance(&model.intercepts(), &case.intercepts);
        assert!(weights < 2e-3 && intercepts < 2e-3, "{}: {weights}, {intercepts}", case.name);
    }
}

#[test]
fn classes_may_be_any_numbers() {
    let rows = [0.0, 0.1, 5.0, 5.1, 9.0, 9.1];
    let model = LogisticRegression::fit(&rows, 1, &[7, 7, 70, 70, 3, 3]).expect("three classes");
    assert_eq!(model.predict(&[0.05, 9.05]), Ok(vec![7, 3]));
}

#[test]
fn rows_that_say_nothing_predict_the_smallest_class() {
    let model = LogisticRegression::fit(&[0.0; 12], 2, &[0, 1, 2, 0, 1, 2]).expect("three classes");
    assert_eq!((model.iterations(), model.predict(&[1.0, -1.0])), (0, Ok(vec![0])));
}

#[test]
fn one_class_cannot_be_fitted() {
    let error = LogisticRegression::fit(&[1.0, 2.0], 1, &[4, 4]).expect_err("one class");
    assert_eq!(error.to_string(), "expected training rows of at least 2 classes, found: 1");
}

#[test]
fn numbers_must_form_rows() {
    let error = LogisticRegression::fit(&[1.0, 2.0, 3.0], 2, &[0, 1]).expect_err("half a row");
    assert_eq!(error.to_string(), "expected 2 rows of 2 numbers, found 3 numbers");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Swapping two classes swaps the predictions; rows and their order stay.
    #[test]
    fn class_names_do_not_matter(seed in 0u64..1000) {
        let mut generator = Generator::new(seed);
        let rows: Vec<f32> = (0..30 * 4).map(|_| generator.random_f32()).collect();
        let labels: Vec<usize> = (0..30).map(|row| row % 2).collect();
        let swapped: Vec<usize> = labels.iter().map(|label| 1 - label).collect();
        let predict = |labels: &[usize]| LogisticRegression::fit(&rows, 4, labels)?.predict(&rows);
        let back: Vec<usize> = predict(&swapped).expect("fits").iter().map(|label| 1 - label).collect();
        prop_assert_eq!(predict(&labels).expect("fits"), back);
    }
}

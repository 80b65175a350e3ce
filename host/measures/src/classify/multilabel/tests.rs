//! Multilabel classification beside mteb (fixture from `tests/golden/classify/make_multilabel.py`).

use proptest::prelude::*;
use serde::Deserialize;

use super::*;
use crate::golden::fixture;
use crate::random::Generator;

#[derive(Deserialize)]
struct Case {
    seed: u64,
    dimension: usize,
    copies: bool,
    samples_per_label: usize,
    /// Labels of the evaluation rows, ascending.
    labels: Vec<u32>,
    train: Vec<Vec<u32>>,
    test: Vec<Vec<u32>>,
    experiments: Vec<Experiment>,
}

#[derive(Deserialize)]
struct Experiment {
    rows: Vec<usize>,
    predicted: Vec<Vec<u32>>,
    scores: [f64; 4],
    f1_micro: f64,
}

impl Case {
    /// The embeddings that the fixture's script makes, of the training rows and of the evaluation rows.
    fn embeddings(&self) -> (Vec<f32>, Vec<f32>) {
        let mut generator = Generator::new(self.seed);
        let rows = self.train.len() + self.test.len();
        let mut values: Vec<f32> = (0..rows * self.dimension).map(|_| generator.random_f32()).collect();
        if self.copies {
            for row in (10..rows).step_by(10) {
                let from = (row - 7) * self.dimension;
                values.copy_within(from..from + self.dimension, row * self.dimension);
            }
        }
        for (row, labels) in self.train.iter().chain(&self.test).enumerate() {
            for &label in labels {
                values[row * self.dimension + label as usize % self.dimension] += 0.75;
            }
        }
        let test = values.split_off(self.train.len() * self.dimension);
        (values, test)
    }

    /// `labels` as places among the labels of the evaluation rows, without the others.
    fn known(&self, labels: &[u32]) -> Vec<u32> {
        labels
            .iter()
            .filter_map(|label| self.labels.binary_search(label).ok())
            .map(|place| place as u32)
            .collect()
    }
}

fn golden() -> Vec<Case> {
    fixture("classify/multilabel.json")
}

#[test]
fn samples_equal_mteb_from_experiment_to_experiment() {
    for case in golden() {
        let mut generator = Generator::new(42);
        for (number, experiment) in case.experiments.iter().enumerate() {
            let rows = sample_labels(&case.train, case.samples_per_label, &mut generator);
            assert_eq!(rows, experiment.rows, "seed {}, experiment {number}", case.seed);
        }
    }
}

#[test]
fn votes_of_the_nearest_rows_equal_scikit_learn() {
    for case in golden() {
        let (train, test) = case.embeddings();
        let samples: Vec<Vec<usize>> =
            case.experiments.iter().map(|experiment| experiment.rows.clone()).collect();
        let labels: Vec<Vec<u32>> = case.train.iter().map(|labels| case.known(labels)).collect();
        let nearest = nearest_rows(&train, &test, case.dimension, &samples, 5).expect("the data fits");
        for (number, (experiment, nearest)) in case.experiments.iter().zip(nearest).enumerate() {
            let predicted: Vec<Vec<u32>> =
                nearest.chunks_exact(5).map(|neighbours| vote(&labels, neighbours)).collect();
            assert_eq!(predicted, experiment.predicted, "seed {}, experiment {number}", case.seed);
        }
    }
}

#[test]
fn scores_equal_mteb_bit_for_bit() {
    for case in golden() {
        let truth: Vec<Vec<u32>> = case.test.iter().map(|labels| case.known(labels)).collect();
        for (number, experiment) in case.experiments.iter().enumerate() {
            let scores = multilabel_scores(&truth, &experiment.predicted, case.labels.len());
            let found = [scores.accuracy, scores.ranking_precision, scores.f1, scores.hamming];
            assert_eq!(found, experiment.scores, "seed {}, experiment {number}", case.seed);
            assert_eq!(scores.f1_micro, experiment.f1_micro, "seed {}, experiment {number}", case.seed);
        }
    }
}

#[test]
fn a_tie_of_votes_is_no_majority() {
    let labels = [vec![0], vec![0, 1], vec![1], vec![]];
    assert_eq!(vote(&labels, &[0, 1, 2, 3]), [0; 0]);
    assert_eq!(vote(&labels, &[0, 1, 2]), [0, 1]);
}

#[test]
fn of_equally_near_rows_the_first_listed_are_taken() {
    let rows = [1.0, 2.0, 1.0, 1.0];
    let nearest = nearest_rows(&rows, &[0.0], 1, &[vec![3, 0, 2, 1]], 2).expect("the data fits");
    let mut found = nearest[0].clone();
    found.sort_unstable();
    assert_eq!(found, [0, 3]);
}

#[test]
fn misfits_are_refused() {
    let error = nearest_rows(&[1.0, 2.0], &[0.0], 1, &[vec![0, 1]], 5).unwrap_err();
    assert_eq!(error.to_string(), "expected at least 5 training rows, as many as neighbours vote, found: 2");
    let error = nearest_rows(&[1.0, 2.0, 3.0], &[0.0, 1.0], 2, &[vec![0]], 1).unwrap_err();
    assert_eq!(error.to_string(), "expected whole rows of 2 numbers, found 3 numbers");
    assert!(nearest_rows(&[], &[], 0, &[], 1).is_err());
}

proptest! {
    #[test]
    fn neighbours_are_the_nearest_rows(
        rows in prop::collection::vec(-1.0f32..1.0, 30),
        query in prop::collection::vec(-1.0f32..1.0, 3),
    ) {
        let nearest = nearest_rows(&rows, &query, 3, &[(0..10).collect()], 4).expect("the data fits");
        let distance = |row: &usize| -> f32 {
            rows[3 * row..3 * row + 3].iter().zip(&query).map(|(x, y)| (x - y) * (x - y)).sum()
        };
        let farthest = nearest[0].iter().map(distance).fold(0.0, f32::max);
        let nearer = (0..10).filter(|row| distance(row) < farthest - 1e-5).count();
        prop_assert!(nearer < 4);
    }

    #[test]
    fn right_predictions_score_one(
        truth in prop::collection::vec(prop::collection::btree_set(0u32..4, 0..4), 1..30),
    ) {
        let truth: Vec<Vec<u32>> = truth.into_iter().map(|set| set.into_iter().collect()).collect();
        let scores = multilabel_scores(&truth, &truth, 4);
        prop_assert_eq!([scores.accuracy, scores.ranking_precision, scores.hamming], [1.0; 3]);
    }
}

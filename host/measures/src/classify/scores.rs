//! Accuracy, and precision, recall and F1 averaged over labels, as scikit-learn computes them (protocol 6.2, 7.6).

use crate::numeric::sum;

/// The scores of one set of predictions; undefined ratios count as 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassificationScores {
    /// Share of right predictions.
    pub accuracy: f64,
    /// F1, plain mean over labels.
    pub f1: f64,
    /// F1, mean over labels weighted by their true support.
    pub f1_weighted: f64,
    /// F1 of all decisions together; where each row has one label and gets one, it is the accuracy.
    pub f1_micro: f64,
    /// Precision, plain mean over labels.
    pub precision: f64,
    /// Precision, weighted mean.
    pub precision_weighted: f64,
    /// Recall, plain mean over labels.
    pub recall: f64,
    /// Recall, weighted mean.
    pub recall_weighted: f64,
}

/// Scores of `predicted` against `truth`, both as label numbers; the labels are those that occur in either.
///
/// Label numbers index tables, so they should be small. The order of additions is numpy's.
pub fn classification_scores(truth: &[usize], predicted: &[usize]) -> ClassificationScores {
    let labels = count(truth, predicted);
    let support: Vec<f64> = labels.iter().map(|label| label.support).collect();
    let [precision, precision_weighted] = means(&labels, &support, |label| ratio(label.hits, label.guesses));
    let [recall, recall_weighted] = means(&labels, &support, |label| ratio(label.hits, label.support));
    let [f1, f1_weighted] =
        means(&labels, &support, |label| ratio(2.0 * label.hits, label.support + label.guesses));
    let right: f64 = labels.iter().map(|label| label.hits).sum();
    let decisions: f64 = labels.iter().map(|label| label.support + label.guesses).sum();
    ClassificationScores {
        accuracy: ratio(right, truth.len() as f64),
        f1,
        f1_weighted,
        f1_micro: ratio(2.0 * right, decisions),
        precision,
        precision_weighted,
        recall,
        recall_weighted,
    }
}

/// How often a label is true, predicted, and both.
#[derive(Clone, Copy, Default)]
struct Label {
    support: f64,
    guesses: f64,
    hits: f64,
}

fn count(truth: &[usize], predicted: &[usize]) -> Vec<Label> {
    let highest = truth.iter().chain(predicted).max().map_or(0, |label| label + 1);
    let mut labels = vec![Label::default(); highest];
    for (&truth, &predicted) in truth.iter().zip(predicted) {
        labels[truth].support += 1.0;
        labels[predicted].guesses += 1.0;
        labels[truth].hits += f64::from(u8::from(truth == predicted));
    }
    labels.retain(|label| label.support + label.guesses > 0.0);
    labels
}

/// Plain and weighted mean over labels.
fn means(labels: &[Label], support: &[f64], measure: impl Fn(&Label) -> f64) -> [f64; 2] {
    let values: Vec<f64> = labels.iter().map(measure).collect();
    let weighted: Vec<f64> = values.iter().zip(support).map(|(value, support)| value * support).collect();
    [ratio(sum(&values), labels.len() as f64), ratio(sum(&weighted), sum(support))]
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::Deserialize;

    use super::*;
    use crate::golden::fixture;
    use crate::pair::average_precision;

    #[derive(Deserialize)]
    struct Case {
        truth: Vec<usize>,
        predicted: Vec<usize>,
        scores: Vec<f64>,
        f1_micro: f64,
        average_precision: Option<f64>,
    }

    fn listed(scores: ClassificationScores) -> [f64; 7] {
        [
            scores.accuracy,
            scores.f1,
            scores.f1_weighted,
            scores.precision,
            scores.precision_weighted,
            scores.recall,
            scores.recall_weighted,
        ]
    }

    /// Fixture from `tests/golden/classify/make_scores.py`.
    #[test]
    fn scores_equal_scikit_learn_bit_for_bit() {
        let cases: Vec<Case> = fixture("classify/scores.json");
        for (index, case) in cases.iter().enumerate() {
            let found = classification_scores(&case.truth, &case.predicted);
            assert_eq!(
                (&listed(found)[..], found.f1_micro),
                (&case.scores[..], case.f1_micro),
                "case {index}"
            );
            if let Some(expected) = case.average_precision {
                let scores: Vec<f64> = case.predicted.iter().map(|&label| label as f64).collect();
                let positive: Vec<bool> = case.truth.iter().map(|&label| label == 1).collect();
                assert_eq!(average_precision(&scores, &positive), expected, "case {index}");
            }
        }
    }

    #[test]
    fn a_label_that_is_only_predicted_counts_in_the_plain_mean_alone() {
        let scores = classification_scores(&[0, 0, 1], &[0, 2, 1]);
        assert_eq!((scores.precision, scores.precision_weighted, scores.recall), (2.0 / 3.0, 1.0, 0.5));
    }

    proptest! {
        #[test]
        fn right_predictions_score_one(truth in prop::collection::vec(0usize..9, 1..50)) {
            for score in listed(classification_scores(&truth, &truth)) {
                prop_assert!((score - 1.0).abs() < 1e-12);
            }
        }
    }
}

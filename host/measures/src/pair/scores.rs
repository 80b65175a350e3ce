//! Accuracy, F1 and average precision of telling alike pairs from unlike ones by a score.

use super::average_precision::average_precision_of_cuts;
use super::cuts::{Cut, cuts};

/// How well a score parts positive from negative pairs (protocol 6.6); all are in [0, 1].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairScores {
    /// Highest share of rightly told pairs over all thresholds.
    pub accuracy: f64,
    /// Highest F1 over all thresholds.
    pub f1: f64,
    /// Precision at the first threshold that reaches `f1`, from the strictest.
    pub precision: f64,
    /// Recall at that threshold.
    pub recall: f64,
    /// Average precision.
    pub average_precision: f64,
}

/// Scores the pairs' `scores` (higher means more alike; negate distances) against `labels`, equally long.
///
/// A threshold lies between two different scores; the ones that accept every pair or none are never tried, so a
/// score that ties on every pair has accuracy and F1 0. Source: mteb 2.26.24,
/// `AbsTaskPairClassification._compute_metrics_values`.
pub fn pair_scores(scores: &[f64], labels: &[bool]) -> PairScores {
    let cuts = cuts(scores, labels);
    let Some((all, inner)) = cuts.split_last() else { return PairScores::default() };
    let (f1, precision, recall) = best_f1(inner, all.hits);
    PairScores {
        accuracy: best_accuracy(inner, *all),
        f1,
        precision,
        recall,
        average_precision: average_precision_of_cuts(&cuts),
    }
}

fn best_accuracy(cuts: &[Cut], all: Cut) -> f64 {
    let negatives = all.accepted - all.hits;
    cuts.iter()
        .map(|cut| {
            let rejected_negatives = negatives - (cut.accepted - cut.hits);
            (cut.hits + rejected_negatives) as f64 / all.accepted as f64
        })
        .fold(0.0, f64::max)
}

/// The first best F1 with its precision and recall.
fn best_f1(cuts: &[Cut], positives: usize) -> (f64, f64, f64) {
    let mut best = (0.0, 0.0, 0.0);
    for cut in cuts.iter().filter(|cut| cut.hits > 0) {
        let precision = cut.hits as f64 / cut.accepted as f64;
        let recall = cut.hits as f64 / positives as f64;
        let f1 = 2.0 * precision * recall / (precision + recall);
        if f1 > best.0 {
            best = (f1, precision, recall);
        }
    }
    best
}

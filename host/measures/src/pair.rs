//! Scores of pair classification over every threshold that separates two scores.

use crate::numeric::sum;

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

/// Average precision of `scores` (higher means more likely positive) against `labels`, equally long.
///
/// Σ (Rₙ − Rₙ₋₁)·Pₙ over the distinct scores, without interpolation, in [0, 1]; 0 if no label is positive.
/// Source: scikit-learn 1.9, `average_precision_score`.
pub fn average_precision(scores: &[f64], labels: &[bool]) -> f64 {
    average_precision_of_cuts(&cuts(scores, labels))
}

fn average_precision_of_cuts(cuts: &[Cut]) -> f64 {
    let positives = cuts.last().map_or(0, |cut| cut.hits);
    if positives == 0 {
        return 0.0;
    }
    let recall = |cut: &Cut| cut.hits as f64 / positives as f64;
    // scikit-learn walks from full recall down to 0 and negates the sum; the order of additions decides the last digit.
    let steps: Vec<f64> = (0..cuts.len())
        .rev()
        .map(|index| {
            let next = if index == 0 { 0.0 } else { recall(&cuts[index - 1]) };
            let precision = cuts[index].hits as f64 / cuts[index].accepted as f64;
            (next - recall(&cuts[index])) * precision
        })
        .collect();
    (-sum(&steps)).max(0.0)
}

/// A threshold's outcome: how many items it accepts, and how many of those are positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cut {
    /// Items whose score reaches the threshold.
    pub accepted: usize,
    /// Positive items among them.
    pub hits: usize,
}

/// Every cut between two different scores, from the strictest; the last accepts everything.
///
/// Tied scores are never parted, so the order of tied rows cannot leak into a measure.
fn cuts(scores: &[f64], labels: &[bool]) -> Vec<Cut> {
    debug_assert_eq!(scores.len(), labels.len());
    // Adding 0.0 turns -0.0 into 0.0, so that the total order and `==` agree on what ties.
    let mut items: Vec<(f64, bool)> =
        scores.iter().zip(labels).map(|(&score, &label)| (score + 0.0, label)).collect();
    items.sort_unstable_by(|left, right| right.0.total_cmp(&left.0));
    let mut reached = Cut { accepted: 0, hits: 0 };
    items
        .chunk_by(|left, right| left.0 == right.0)
        .map(|tied| {
            reached.accepted += tied.len();
            reached.hits += tied.iter().filter(|(_, label)| *label).count();
            reached
        })
        .collect()
}

#[cfg(test)]
mod tests {
    //! Pair-classification scores beside mteb (fixture from `tests/golden/pair/make.py`).

    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/pair/pair.json");

    fn numbers(value: &Value) -> Vec<f64> {
        value.as_array().expect("a list").iter().filter_map(Value::as_f64).collect()
    }

    fn listed(scores: PairScores) -> [f64; 5] {
        [scores.accuracy, scores.f1, scores.precision, scores.recall, scores.average_precision]
    }

    #[test]
    fn scores_equal_mteb_bit_for_bit() {
        let text = std::fs::read_to_string(GOLDEN).expect("fixture is part of the project");
        let cases: Vec<Value> = serde_json::from_str(&text).expect("fixture is JSON");
        for (index, case) in cases.iter().enumerate() {
            let scores = numbers(&case["scores"]);
            let labels: Vec<bool> = numbers(&case["labels"]).iter().map(|&label| label == 1.0).collect();
            let negated: Vec<f64> = scores.iter().map(|score| -score).collect();
            assert_eq!(
                listed(pair_scores(&scores, &labels))[..],
                numbers(&case["similarity"]),
                "case {index}"
            );
            assert_eq!(
                listed(pair_scores(&negated, &labels))[..],
                numbers(&case["distance"]),
                "case {index}"
            );
        }
    }

    #[test]
    fn a_perfect_score_reaches_one_everywhere() {
        let scores = pair_scores(&[0.9, 0.8, 0.3, 0.1], &[true, true, false, false]);
        assert_eq!(listed(scores), [1.0; 5]);
    }

    #[test]
    fn a_score_that_ties_everywhere_has_no_threshold() {
        let scores = pair_scores(&[0.5; 4], &[true, true, true, false]);
        assert_eq!(listed(scores), [0.0, 0.0, 0.0, 0.0, 0.75]);
    }

    #[test]
    fn accepting_every_pair_is_never_tried() {
        let scores = pair_scores(&[0.9, 0.1], &[true, true]);
        assert_eq!(listed(scores), [0.5, 2.0 / 3.0, 1.0, 0.5, 1.0]);
    }

    #[test]
    fn no_pairs_score_zero() {
        assert_eq!(listed(pair_scores(&[], &[])), [0.0; 5]);
        assert_eq!(average_precision(&[], &[]), 0.0);
    }

    proptest! {
        #[test]
        fn row_order_changes_nothing(rows in prop::collection::vec((-4i32..4, any::<bool>()), 1..60)) {
            let forward: (Vec<f64>, Vec<bool>) = rows.iter().map(|&(score, label)| (f64::from(score), label)).unzip();
            let backward: (Vec<f64>, Vec<bool>) =
                rows.iter().rev().map(|&(score, label)| (f64::from(score), label)).unzip();
            prop_assert_eq!(pair_scores(&forward.0, &forward.1), pair_scores(&backward.0, &backward.1));
        }

        #[test]
        fn scores_are_shares(rows in prop::collection::vec((-1e3..1e3, any::<bool>()), 1..60)) {
            let (scores, labels): (Vec<f64>, Vec<bool>) = rows.into_iter().unzip();
            for score in listed(pair_scores(&scores, &labels)) {
                prop_assert!((0.0..=1.0 + 1e-12).contains(&score));
            }
        }
    }
}

//! Multilabel classification: few-shot sampling, nearest neighbours and the scores of their votes (protocol 6.3).
//!
//! Labels are codes from 0; a row's labels are an ascending list of codes, so that rows with few of many labels stay
//! small.

mod neighbours;

pub use neighbours::{NeighbourError, nearest_rows, vote};

use crate::numeric::{mean, sequential_mean};
use crate::random::Generator;

/// Rows drawn until every label has `samples_per_label` of them, in drawn order.
///
/// `labels` holds the labels of every row as codes. A row is taken if one of its labels is still short of rows, and
/// then counts for all of them; a row without labels is never taken. `generator` moves on with each call. Source:
/// mteb 2.26.24, `AbsTaskMultilabelClassification._undersample_data_indices`.
pub fn sample_labels(labels: &[Vec<u32>], samples_per_label: usize, generator: &mut Generator) -> Vec<usize> {
    let codes = labels.iter().flatten().max().map_or(0, |&largest| largest as usize + 1);
    let mut taken = vec![0; codes];
    let mut rows = generator.permutation(labels.len());
    rows.retain(|&row| {
        let short = labels[row].iter().any(|&label| taken[label as usize] < samples_per_label);
        if short {
            labels[row].iter().for_each(|&label| taken[label as usize] += 1);
        }
        short
    });
    rows
}

/// The scores of one set of predictions (protocol 6.3); all are in [0, 1].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MultilabelScores {
    /// Share of rows whose labels are all right.
    pub accuracy: f64,
    /// Label-ranking average precision with the predictions as scores of 0 and 1.
    pub ranking_precision: f64,
    /// F1 of each label, plain mean over labels; 0 for a label that is neither true nor predicted.
    pub f1: f64,
    /// F1 of all labels of all rows together; 0 if none is true or predicted.
    pub f1_micro: f64,
    /// Share of the true or predicted labels of a row that are both, mean over rows; 1 for a row with neither.
    pub hamming: f64,
}

/// Scores of `predicted` against `truth`: ascending label codes below `labels`, row by row.
///
/// The order of additions is numpy's. Source: scikit-learn 1.9, `accuracy_score`, `f1_score` and
/// `label_ranking_average_precision_score`; mteb 2.26.24, `hamming_score`.
pub fn multilabel_scores(truth: &[Vec<u32>], predicted: &[Vec<u32>], labels: usize) -> MultilabelScores {
    let mut counts = vec![Counts::default(); labels];
    let (mut precisions, mut overlaps) = (Vec::new(), Vec::new());
    for (truth, predicted) in truth.iter().zip(predicted) {
        let hits: Vec<bool> = truth.iter().map(|label| predicted.binary_search(label).is_ok()).collect();
        let both = hits.iter().filter(|hit| **hit).count();
        let either = truth.len() + predicted.len() - both;
        overlaps.push(if either == 0 { 1.0 } else { both as f64 / either as f64 });
        precisions.push(ranking_precision(&hits, both, predicted.len(), labels));
        predicted.iter().for_each(|&label| counts[label as usize].predicted += 1);
        for (&label, hit) in truth.iter().zip(hits) {
            counts[label as usize].truth += 1;
            counts[label as usize].both += usize::from(hit);
        }
    }
    let f1: Vec<f64> = counts.iter().map(Counts::f1).collect();
    let right = truth.iter().zip(predicted).filter(|(truth, predicted)| truth == predicted).count();
    MultilabelScores {
        accuracy: right as f64 / truth.len() as f64,
        ranking_precision: sequential_mean(&precisions),
        f1: mean(&f1),
        f1_micro: all(&counts).f1(),
        hamming: mean(&overlaps),
    }
}

/// Mean over the true labels of the share of true labels among those that rank as high.
///
/// Predicted labels share the last of their ranks, the others the very last; a row with no or with all labels has no
/// ranking and counts 1.
fn ranking_precision(hits: &[bool], both: usize, predicted: usize, labels: usize) -> f64 {
    if hits.is_empty() || hits.len() == labels {
        return 1.0;
    }
    let share = |&hit: &bool| {
        if hit { both as f64 / predicted as f64 } else { hits.len() as f64 / labels as f64 }
    };
    mean(&hits.iter().map(share).collect::<Vec<f64>>())
}

/// How often a label is true, predicted, and both.
#[derive(Clone, Copy, Default)]
struct Counts {
    truth: usize,
    predicted: usize,
    both: usize,
}

fn all(labels: &[Counts]) -> Counts {
    labels.iter().fold(Counts::default(), |all, label| Counts {
        truth: all.truth + label.truth,
        predicted: all.predicted + label.predicted,
        both: all.both + label.both,
    })
}

impl Counts {
    fn f1(&self) -> f64 {
        let whole = self.truth + self.predicted;
        if whole == 0 { 0.0 } else { (2 * self.both) as f64 / whole as f64 }
    }
}

#[cfg(test)]
mod tests;

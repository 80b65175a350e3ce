//! Multilabel classification: few-shot sampling, nearest neighbours and the scores of their votes (protocol 6.3).
//!
//! Labels are codes from 0; a row's labels are an ascending list of codes, so that rows with few of many labels stay
//! small.

mod neighbours;
mod scores;

pub use neighbours::{NeighbourError, nearest_rows, vote};
pub use scores::{MultilabelScores, multilabel_scores};

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

#[cfg(test)]
mod tests;

//! What labels must be so that a classifier can learn from them and be scored.

use mteb_data::Table;

use super::labels::Labels;
use crate::EvaluateError;

/// The label that average precision takes as positive: none unless `truth` has exactly two labels.
pub fn positive_label(
    labels: &Labels,
    truth: &[usize],
    table: &Table,
) -> Result<Option<usize>, EvaluateError> {
    let mut distinct = truth.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let [low, high] = distinct[..] else { return Ok(None) };
    match labels.positive.filter(|positive| distinct.contains(positive)) {
        Some(positive) => Ok(Some(positive)),
        None => Err(EvaluateError::Unscorable(format!(
            "{}, column `label`: expected one of two labels to be the number 1 or the boolean true, which average \
             precision takes as positive, found: {} and {}; name them 0 and 1 with `label_map`",
            table.place(0).0,
            labels.names[low],
            labels.names[high],
        ))),
    }
}

/// Refuses rows to learn from that do not differ in their label.
pub fn check_labels(train: &[usize], table: &Table) -> Result<(), EvaluateError> {
    if train.iter().any(|label| *label != train[0]) {
        return Ok(());
    }
    Err(EvaluateError::Unscorable(format!(
        "{}, column `label`: expected training rows of at least 2 labels, found {} rows of {}",
        table.place(0).0,
        train.len(),
        if train.is_empty() { "none" } else { "one label" },
    )))
}

//! What labels must be so that a classifier can learn from them and be scored.

use std::collections::BTreeSet;

use mteb_data::Table;

use super::labels::Labels;
use crate::EvaluateError;
use crate::task_types::few_shot::some_quoted;

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
            "{}, column `label`: expected one of two labels to be the number 1 or the boolean true, the \
             positive class of average precision, found: {} and {}; map them to 0 and 1 with `label_map`",
            table.place(0).0,
            labels.names[low],
            labels.names[high],
        ))),
    }
}

/// Notes on the labels of the rows to predict: those that no training row has, and one that all have.
///
/// # Errors
/// If no training row has any of them, and that is refused (`strict`).
pub fn check_predicted(
    labels: &Labels,
    train: &[usize],
    truth: &[usize],
    table: &Table,
    strict: bool,
) -> Result<Vec<String>, EvaluateError> {
    let learned: BTreeSet<usize> = train.iter().copied().collect();
    let wanted: BTreeSet<usize> = truth.iter().copied().collect();
    let unknown: BTreeSet<usize> = wanted.difference(&learned).copied().collect();
    let place = format!("{}, column `label`", table.place(0).0);
    let names = |numbers: &BTreeSet<usize>| some_quoted(numbers.iter().map(|&number| &labels.names[number]));
    let mut notes = Vec::new();
    if wanted.len() == 1 {
        notes.push(format!(
            "{place}: expected rows to predict of at least 2 labels, found only {}",
            names(&wanted)
        ));
    }
    if unknown.is_empty() {
        return Ok(notes);
    }
    if strict && unknown.len() == wanted.len() {
        return Err(EvaluateError::Unscorable(format!(
            "{place}: expected labels of the training rows ({}), found none of them, but {}; correct the labels \
             of one of the two",
            names(&learned),
            names(&unknown)
        )));
    }
    let rows = truth.iter().filter(|label| unknown.contains(label)).count();
    notes.push(format!(
        "{place}: labels that no training row has, so that no model can predict them: {} ({rows} of {} rows)",
        names(&unknown),
        truth.len()
    ));
    Ok(notes)
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

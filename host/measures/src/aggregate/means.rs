//! Means of scores, each with its rule for scores that are missing.

use crate::numeric::{mean, sequential_mean};

/// Task score: the plain mean of the main scores of all (split, subset) entries together (protocol 8.1).
///
/// Also the main score of an aggregate task over its members' scores (protocol 8.4). NaN if an entry is NaN or if
/// there is none. Adds in numpy's order, as the reference does here and not in the other means.
pub fn task_score(main_scores: &[f64]) -> f64 {
    mean(main_scores)
}

/// Mean(Task): the mean of the task scores of one model.
///
/// `None` if a score is missing or NaN, 0 if there is no task. Source: mteb 2.26.24, `_compute_mean_task`.
pub fn mean_of_tasks(scores: &[Option<f64>]) -> Option<f64> {
    let scores = all_present(scores)?;
    Some(if scores.is_empty() { 0.0 } else { sequential_mean(&scores) })
}

/// Mean over a part of the tasks, for example Mean(Public).
///
/// `None` if a score is missing or NaN or if the part is empty. Source: mteb 2.26.24,
/// `_compute_mean_public_private`.
pub fn mean_of_group(scores: &[Option<f64>]) -> Option<f64> {
    all_present(scores).filter(|scores| !scores.is_empty()).map(|scores| sequential_mean(&scores))
}

/// Mean(Subset): every (task, subset) counts the same, whatever the number of its splits.
///
/// `units` holds the main scores of the splits of each (task, subset). `None` if a score is missing or NaN, 0 if
/// there is no unit. Source: mteb 2.26.24, `_compute_mean_subset`.
pub fn mean_of_units(units: &[Vec<Option<f64>>]) -> Option<f64> {
    let means: Vec<Option<f64>> =
        units.iter().filter(|splits| !splits.is_empty()).map(|splits| mean_of_tasks(splits)).collect();
    mean_of_tasks(&means)
}

/// All scores, unless one is missing or NaN.
pub(super) fn all_present(scores: &[Option<f64>]) -> Option<Vec<f64>> {
    scores.iter().map(|score| score.filter(|score| !score.is_nan())).collect()
}

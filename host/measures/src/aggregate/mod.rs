//! Means and ranks over many tasks: mean, mean by task type, Borda count.

use crate::correlation::average_ranks;
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
fn all_present(scores: &[Option<f64>]) -> Option<Vec<f64>> {
    scores.iter().map(|score| score.filter(|score| !score.is_nan())).collect()
}

/// One model's mean for each task type, and the mean of those (protocol 8.2).
#[derive(Clone, Debug, PartialEq)]
pub struct TaskTypeMeans {
    /// Mean(TaskType): every type counts the same; 0 if there is no task.
    pub mean: Option<f64>,
    /// Type and mean of its tasks, in the order in which the types first occur.
    pub types: Vec<(String, Option<f64>)>,
}

/// Means of `tasks`, given as type and score, by type.
///
/// One missing or NaN score makes every mean `None`, also those of the other types. Source: mteb 2.26.24,
/// `_compute_task_types` and `_task_types_or_nulls`.
pub fn task_type_means(tasks: &[(&str, Option<f64>)]) -> TaskTypeMeans {
    let mut types: Vec<(&str, Vec<Option<f64>>)> = Vec::new();
    for &(name, score) in tasks {
        match types.iter_mut().find(|(found, _)| *found == name) {
            Some((_, scores)) => scores.push(score),
            None => types.push((name, vec![score])),
        }
    }
    let means: Option<Vec<f64>> =
        types.iter().map(|(_, scores)| all_present(scores).map(|scores| sequential_mean(&scores))).collect();
    let mean = means.as_ref().map(|means| if means.is_empty() { 0.0 } else { sequential_mean(means) });
    let types = types
        .iter()
        .enumerate()
        .map(|(index, (name, _))| ((*name).to_owned(), means.as_ref().map(|means| means[index])))
        .collect();
    TaskTypeMeans { mean, types }
}

/// The rank of every model, 1 for the best, by Borda count (protocol 8.3).
///
/// `scores[model][task]` are the task scores, higher is better; all models list the same tasks. On each task a
/// model gets as many points as there are models, less its rank there (ties share the mean rank); a missing or NaN
/// score gets none. Models with equal points share the better rank, and the next rank is skipped (1, 2, 2, 4).
/// Source: mteb 2.26.24, `_borda_rank_from_long`.
pub fn borda_ranks(scores: &[Vec<Option<f64>>]) -> Vec<usize> {
    let tasks = scores.iter().map(Vec::len).max().unwrap_or(0);
    let mut points = vec![0.0; scores.len()];
    for task in 0..tasks {
        let (models, negated): (Vec<usize>, Vec<f64>) = scores
            .iter()
            .enumerate()
            .filter_map(|(model, scores)| {
                let score = scores.get(task).copied().flatten()?;
                (!score.is_nan()).then_some((model, -score))
            })
            .unzip();
        for (model, rank) in models.into_iter().zip(average_ranks(&negated)) {
            points[model] += scores.len() as f64 - rank;
        }
    }
    points.iter().map(|own| 1 + points.iter().filter(|other| *other > own).count()).collect()
}

#[cfg(test)]
mod tests;

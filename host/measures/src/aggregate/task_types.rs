//! Means by task type.

use super::means::all_present;
use crate::numeric::sequential_mean;

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

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
mod tests {
    //! Means and ranks beside mteb (fixture from `tests/golden/aggregate/make.py`).

    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;
    use crate::golden::section_of;

    fn golden(section: &str) -> Vec<Value> {
        section_of("aggregate/aggregate.json", section)
    }

    fn list(value: &Value) -> &[Value] {
        value.as_array().expect("a list")
    }

    fn scores(value: &Value) -> Vec<Option<f64>> {
        list(value).iter().map(Value::as_f64).collect()
    }

    #[test]
    fn task_scores_equal_mteb_bit_for_bit() {
        for case in golden("task_scores") {
            let entries: Vec<f64> = scores(&case["main_scores"]).into_iter().flatten().collect();
            assert_eq!(Some(task_score(&entries)), case["score"].as_f64());
        }
    }

    #[test]
    fn means_over_tasks_equal_mteb_bit_for_bit() {
        for (index, case) in golden("means").iter().enumerate() {
            let tasks: Vec<(&str, Option<f64>)> = list(&case["tasks"])
                .iter()
                .map(|task| (task[0].as_str().expect("a type"), task[1].as_f64()))
                .collect();
            let all: Vec<Option<f64>> = tasks.iter().map(|(_, score)| *score).collect();
            assert_eq!(mean_of_tasks(&all), case["mean_task"].as_f64(), "case {index}");
            let by_type = task_type_means(&tasks);
            assert_eq!(by_type.mean, case["mean_task_type"].as_f64(), "case {index}");
            let types: Vec<(String, Option<f64>)> = list(&case["task_types"])
                .iter()
                .map(|entry| (entry[0].as_str().expect("a type").to_owned(), entry[1].as_f64()))
                .collect();
            assert_eq!(by_type.types, types, "case {index}");
        }
    }

    #[test]
    fn means_over_parts_and_subsets_equal_mteb_bit_for_bit() {
        for (index, case) in golden("means").iter().enumerate() {
            for (name, wanted) in [("mean_public", true), ("mean_private", false)] {
                let group: Vec<Option<f64>> = list(&case["tasks"])
                    .iter()
                    .zip(list(&case["public"]))
                    .filter(|(_, public)| public.as_bool() == Some(wanted))
                    .map(|(task, _)| task[1].as_f64())
                    .collect();
                assert_eq!(mean_of_group(&group), case[name].as_f64(), "case {index}, {name}");
            }
            let units: Vec<Vec<Option<f64>>> = list(&case["units"]).iter().map(scores).collect();
            assert_eq!(mean_of_units(&units), case["mean_subset"].as_f64(), "case {index}");
        }
    }

    #[test]
    fn ranks_equal_mteb() {
        for (index, case) in golden("borda").iter().enumerate() {
            let table: Vec<Vec<Option<f64>>> = list(&case["scores"]).iter().map(scores).collect();
            let expected: Vec<usize> =
                list(&case["ranks"]).iter().filter_map(Value::as_u64).map(|rank| rank as usize).collect();
            assert_eq!(borda_ranks(&table), expected, "case {index}");
        }
    }

    #[test]
    fn nan_is_a_missing_score() {
        assert_eq!(mean_of_tasks(&[Some(0.5), Some(f64::NAN)]), None);
        assert_eq!(mean_of_group(&[Some(f64::NAN)]), None);
        assert_eq!(task_type_means(&[("STS", Some(f64::NAN))]).types, [("STS".to_owned(), None)]);
        let ranks =
            borda_ranks(&[vec![Some(f64::NAN), Some(0.1)], vec![None, Some(0.2)], vec![Some(0.3), None]]);
        assert_eq!(ranks, [3, 1, 1]);
    }

    #[test]
    fn an_empty_selection_has_mean_zero_and_an_empty_group_none() {
        assert_eq!(mean_of_tasks(&[]), Some(0.0));
        assert_eq!(task_type_means(&[]), TaskTypeMeans { mean: Some(0.0), types: Vec::new() });
        assert_eq!(mean_of_units(&[]), Some(0.0));
        assert_eq!(mean_of_group(&[]), None);
        assert!(task_score(&[]).is_nan());
    }

    #[test]
    fn equal_points_share_the_better_rank() {
        let table = [0.9, 0.5, 0.5, 0.1].map(|score| vec![Some(score)]);
        assert_eq!(borda_ranks(&table), [1, 2, 2, 4]);
    }

    proptest! {
        #[test]
        fn a_model_that_wins_everywhere_ranks_first(
            table in prop::collection::vec(prop::collection::vec(0.0f64..0.9, 4), 1..8),
        ) {
            let mut table: Vec<Vec<Option<f64>>> =
                table.into_iter().map(|scores| scores.into_iter().map(Some).collect()).collect();
            table.push(vec![Some(0.95); 4]);
            let ranks = borda_ranks(&table);
            prop_assert_eq!(ranks[table.len() - 1], 1);
            prop_assert_eq!(ranks.iter().filter(|rank| **rank == 1).count(), 1);
        }
    }
}

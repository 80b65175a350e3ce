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
    let ranks = borda_ranks(&[vec![Some(f64::NAN), Some(0.1)], vec![None, Some(0.2)], vec![Some(0.3), None]]);
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

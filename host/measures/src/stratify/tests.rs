//! Subsamples beside datasets and mteb (fixture from `tests/golden/stratify/make.py`).

use proptest::prelude::*;
use serde::Deserialize;

use super::*;
use crate::golden::fixture;

#[derive(Deserialize)]
struct Golden {
    proportional: Vec<Case<u32>>,
    iterative: Vec<Case<Vec<u32>>>,
}

#[derive(Deserialize)]
struct Case<L> {
    labels: Vec<L>,
    count: usize,
    seed: u32,
    rows: Vec<usize>,
}

fn golden() -> Golden {
    fixture("stratify/stratify.json")
}

#[test]
fn proportional_subsamples_equal_the_reference_row_by_row() {
    for (number, case) in golden().proportional.iter().enumerate() {
        let rows = stratified_subsample(&case.labels, case.count, u64::from(case.seed));
        assert_eq!(rows.as_deref(), Ok(&case.rows[..]), "case {number}");
    }
}

#[test]
fn iterative_subsamples_equal_the_reference_row_by_row() {
    for (number, case) in golden().iterative.iter().enumerate() {
        let rows = iterative_subsample(&case.labels, case.count, case.seed);
        assert_eq!(rows, case.rows, "case {number}");
    }
}

#[test]
fn a_subsample_of_everything_keeps_the_order() {
    assert_eq!(stratified_subsample(&[3, 1, 3], 3, 42), Ok(vec![0, 1, 2]));
    assert_eq!(iterative_subsample(&[vec![0], vec![], vec![1]], 5, 42), [0, 1, 2]);
}

#[test]
fn a_label_with_one_row_cannot_be_split() {
    let error = stratified_subsample(&[0, 0, 0, 5, 1, 1], 3, 42).unwrap_err();
    assert_eq!(error, StratifyError::LonelyLabel { label: 5 });
    assert_eq!(
        error.to_string(),
        "expected at least 2 rows of every label, found 1 of label number 5; drop that row"
    );
}

#[test]
fn both_sides_need_a_row_for_every_label() {
    let labels = [0, 0, 1, 1, 2, 2];
    let too_few = |kept, left| Err(StratifyError::TooFewRows { labels: 3, kept, left });
    assert_eq!(stratified_subsample(&labels, 2, 42), too_few(2, 4));
    assert_eq!(stratified_subsample(&labels, 4, 42), too_few(4, 2));
}

proptest! {
    #[test]
    fn a_proportional_subsample_is_off_by_less_than_one_row_a_label(
        labels in prop::collection::vec(0u32..5, 40..200),
        seed in 0u64..1000,
    ) {
        let count = labels.len() / 3;
        let Ok(rows) = stratified_subsample(&labels, count, seed) else { return Ok(()) };
        let mut sorted = rows.clone();
        sorted.sort_unstable();
        sorted.dedup();
        prop_assert_eq!(sorted.len(), count);
        for label in 0..5 {
            let of = |rows: &mut dyn Iterator<Item = u32>| rows.filter(|&found| found == label).count() as f64;
            let all = of(&mut labels.iter().copied());
            let kept = of(&mut rows.iter().map(|&row| labels[row]));
            prop_assert!((kept - all * count as f64 / labels.len() as f64).abs() < 1.0);
        }
    }

    #[test]
    fn an_iterative_subsample_ascends(
        labels in prop::collection::vec(prop::collection::btree_set(0u32..6, 0..4), 20..80),
    ) {
        let labels: Vec<Vec<u32>> = labels.into_iter().map(|set| set.into_iter().collect()).collect();
        let rows = iterative_subsample(&labels, labels.len() / 2, 42);
        prop_assert!(rows.is_sorted_by(|left, right| left < right));
    }
}

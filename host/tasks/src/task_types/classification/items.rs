//! Per-item results of the rows to predict, and the scores that follow from them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::experiment::{ExperimentScores, collect};
use crate::{EvaluateError, ItemColumn, Items, Scores};

/// A row a text: its place, its label, and what each experiment predicted; labels are numbered as `names` are.
pub(super) fn items(names: &[String], truth: &[usize], experiments: &[ExperimentScores]) -> Items {
    let mut items = Items::default();
    items.push("row", ItemColumn::Int((0..truth.len() as i64).collect()));
    items.push("gold", labels(names, truth));
    for (number, experiment) in experiments.iter().enumerate() {
        items.push(format!("prediction_{number}"), labels(names, &experiment.predicted));
    }
    items
}

/// A row a text that was predicted in a fold: its place, its label, the number of the fold, and what was predicted; `folds` has
/// the places and the labels of each.
pub(super) fn items_of_folds(
    names: &[String],
    folds: &[(&[usize], &[usize])],
    experiments: &[ExperimentScores],
) -> Items {
    let rows: Vec<i64> = folds.iter().flat_map(|(rows, _)| rows.iter().map(|&row| row as i64)).collect();
    let truth: Vec<usize> = folds.iter().flat_map(|(_, truth)| truth.iter().copied()).collect();
    let numbers = (0i64..).zip(folds).flat_map(|(number, (rows, _))| rows.iter().map(move |_| number));
    let predicted: Vec<usize> =
        experiments.iter().flat_map(|experiment| experiment.predicted.iter().copied()).collect();
    let mut items = Items::default();
    items.push("row", ItemColumn::Int(rows));
    items.push("gold", labels(names, &truth));
    items.push(FOLD, ItemColumn::Int(numbers.collect()));
    items.push("prediction_0", labels(names, &predicted));
    items
}

/// Column of the folds of a cross-validation.
const FOLD: &str = "experiment";

/// The scores of all experiments.
///
/// # Errors
/// If a column is absent.
pub(super) fn aggregate(items: &Items) -> Result<Scores, EvaluateError> {
    let gold = items.texts("gold")?;
    let mut columns = Vec::new();
    for number in 0..items.numbered("prediction_").count() {
        columns.push(items.texts(&format!("prediction_{number}"))?);
    }
    let numbers = numbers(columns.iter().flat_map(|column| column.iter()).chain(gold.iter()));
    let number = |label: &str| numbers.get(label).copied().unwrap_or_default();
    let positive = ["1", "true"].iter().find_map(|name| numbers.get(name)).copied();
    let mut experiments: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
    if items.get(FOLD).is_some() {
        let mut folds: BTreeMap<i64, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        let predicted = columns.first().map(|column| column.iter()).into_iter().flatten();
        for ((fold, gold), predicted) in items.ints(FOLD)?.iter().zip(gold.iter()).zip(predicted) {
            let (truth, found) = folds.entry(*fold).or_default();
            truth.push(number(gold));
            found.push(number(predicted));
        }
        experiments.extend(folds.into_values());
    } else {
        let truth: Vec<usize> = gold.iter().map(number).collect();
        experiments.extend(columns.iter().map(|column| (truth.clone(), column.iter().map(number).collect())));
    }
    let scored = experiments.into_iter().map(|(truth, predicted)| {
        let distinct: BTreeSet<usize> = truth.iter().copied().collect();
        ExperimentScores::new(&truth, predicted, positive.filter(|_| distinct.len() == 2))
    });
    Ok(collect(&scored.collect::<Vec<_>>(), true))
}

fn labels(names: &[String], numbers: &[usize]) -> ItemColumn {
    ItemColumn::Text(numbers.iter().map(|&number| names[number].as_str()).collect())
}

/// A number for each label, as those that are whole numbers are sorted by value.
fn numbers<'a>(labels: impl Iterator<Item = &'a str>) -> HashMap<&'a str, usize> {
    let mut distinct: Vec<&str> = labels.collect::<BTreeSet<&str>>().into_iter().collect();
    // Others stay as they are: all values are absent, and the sort is stable.
    let are_numbers = distinct.iter().all(|label| label.parse::<i64>().is_ok());
    distinct.sort_by_key(|label| label.parse::<i64>().ok().filter(|_| are_numbers));
    distinct.into_iter().zip(0..).collect()
}

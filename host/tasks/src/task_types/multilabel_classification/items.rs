//! Per-item results of the rows to predict, and the scores that follow from them.

use std::collections::{BTreeSet, HashMap};

use mteb_measures::classify::multilabel::{MultilabelScores, multilabel_scores};
use mteb_measures::numeric::mean;

use crate::{EvaluateError, ItemColumn, Items, Score, Scores};

/// A row a text: its place among the rows of the split, its labels, and those that each experiment predicted; labels are numbered
/// as `names` are.
pub(super) fn items(
    rows: &[usize],
    names: &[String],
    truth: &[Vec<u32>],
    predictions: &[Vec<Vec<u32>>],
) -> Items {
    let lists = |lists: &[Vec<u32>]| {
        let list = |list: &Vec<u32>| list.iter().map(|&label| names[label as usize].clone()).collect();
        ItemColumn::Lists(lists.iter().map(list).collect())
    };
    let mut items = Items::default();
    items.push("row", ItemColumn::Int(rows.iter().map(|&row| row as i64).collect()));
    items.push("gold", lists(truth));
    for (number, predicted) in predictions.iter().enumerate() {
        items.push(format!("prediction_{number}"), lists(predicted));
    }
    items
}

/// The scores of all experiments.
///
/// # Errors
/// If a column is absent.
pub(super) fn aggregate(items: &Items) -> Result<Scores, EvaluateError> {
    let gold = items.lists("gold")?;
    let distinct: BTreeSet<&str> = gold.iter().flatten().map(String::as_str).collect();
    let numbers: HashMap<&str, u32> = distinct.into_iter().zip(0..).collect();
    let numbered = |lists: &[Vec<String>]| -> Vec<Vec<u32>> {
        let number = |label: &String| numbers.get(label.as_str()).copied();
        let list = |list: &Vec<String>| {
            let mut list: Vec<u32> = list.iter().filter_map(number).collect();
            list.sort_unstable();
            list
        };
        lists.iter().map(list).collect()
    };
    let truth = numbered(gold);
    let experiments = (0..items.numbered("prediction_").count()).map(|number| {
        let predicted = numbered(items.lists(&format!("prediction_{number}"))?);
        Ok(multilabel_scores(&truth, &predicted, numbers.len()))
    });
    Ok(collect(&experiments.collect::<Result<Vec<MultilabelScores>, EvaluateError>>()?, true))
}

/// The experiments one by one, then the mean of each score.
pub(super) fn collect(experiments: &[MultilabelScores], extra: bool) -> Scores {
    let named: Vec<_> = experiments.iter().map(|scores| name_scores(scores, extra)).collect();
    let each = named.iter().map(|scores| {
        Score::Map(Scores(scores.iter().map(|&(name, score)| (name.to_owned(), score.into())).collect()))
    });
    let mut scores = Scores::new();
    scores.insert("scores_per_experiment", each.collect::<Vec<Score>>());
    for (place, &(name, _)) in named.first().into_iter().flatten().enumerate() {
        let mean = mean(&named.iter().map(|scores| scores[place].1).collect::<Vec<f64>>());
        scores.insert(name, Score::Numpy(mean));
    }
    scores
}

/// Keys and values in the reference's order; behind them those that it has not, if they are wanted.
fn name_scores(scores: &MultilabelScores, extra: bool) -> Vec<(&'static str, f64)> {
    let mut named = vec![
        ("accuracy", scores.accuracy),
        ("lrap", scores.ranking_precision),
        ("f1", scores.f1),
        ("hamming", scores.hamming),
    ];
    named.extend(extra.then_some(("f1_micro", scores.f1_micro)));
    named
}

//! Texts of multilabel classification: how well their labels were predicted.

use std::collections::{BTreeSet, HashMap};

use mteb_items::outcomes::{Items, OutcomesError};
use mteb_measures::classify::multilabel::{MultilabelScores, multilabel_scores};

use super::side::{Side, Values, ids};
use crate::compare::Texts;

/// The texts with their mean over experiments: of `main_score` where it is a mean over texts, else of the accuracy.
///
/// # Errors
/// If a column is absent.
pub(super) fn side(items: &Items, main_score: &str) -> Result<Side, OutcomesError> {
    let (rows, gold) = (items.ints("row")?, items.lists("gold")?);
    let (measure, score): (_, fn(&MultilabelScores) -> f64) = match main_score {
        "lrap" => ("lrap", |scores| scores.ranking_precision),
        "hamming" => ("hamming", |scores| scores.hamming),
        _ => ("accuracy", |scores| scores.accuracy),
    };
    let distinct: BTreeSet<&str> = gold.iter().flatten().map(String::as_str).collect();
    let codes: HashMap<&str, u32> = distinct.into_iter().zip(0..).collect();
    let coded = |labels: &Vec<String>| {
        let mut found: Vec<u32> =
            labels.iter().filter_map(|label| codes.get(label.as_str()).copied()).collect();
        found.sort_unstable();
        found
    };
    let experiments = items.numbered("prediction_").count();
    let mut sums = vec![0.0; rows.len()];
    for number in 0..experiments {
        let predicted = items.lists(&format!("prediction_{number}"))?;
        for (sum, (gold, found)) in sums.iter_mut().zip(gold.iter().zip(predicted)) {
            *sum += score(&multilabel_scores(&[coded(gold)], &[coded(found)], codes.len()));
        }
    }
    sums.iter_mut().for_each(|sum| *sum /= experiments as f64);
    Ok(Side {
        kind: "texts",
        texts: Texts::Rows,
        measure: measure.to_owned(),
        item_measure: "the same measure",
        ids: ids(rows),
        values: Values::Scores(sums),
    })
}

//! What a classifier learns from features, cross-validated: five folds, drawn with a fixed seed,
//! and the area under the ROC curve.

use std::collections::BTreeMap;

use mteb_measures::classify::{Fold, LogisticRegression, folds};

use super::features::Features;

/// Folds of a cross-validation.
const FOLDS: usize = 5;

/// Share of the rows whose class is told. `None` where there is too little to learn from.
pub fn accuracy(features: &Features, classes: &[usize]) -> Option<f64> {
    let mut right = 0;
    for fold in folds(classes.len(), FOLDS) {
        let model = fit(features, classes, &fold)?;
        let told = model.predict(&features.select(&fold.test)).ok()?;
        right += told.iter().zip(&fold.test).filter(|(told, row)| **told == classes[**row]).count();
    }
    (!classes.is_empty()).then(|| right as f64 / classes.len() as f64)
}

/// Mean over the folds of the AUC of `answers`. `None` where there is too little to learn from.
pub fn mean_auc(features: &Features, answers: &[bool]) -> Option<f64> {
    let areas: Vec<f64> = folds(answers.len(), FOLDS)
        .iter()
        .filter_map(|fold| {
            let own: Vec<bool> = fold.test.iter().map(|&row| answers[row]).collect();
            auc(&log_odds(features, answers, fold)?, &own)
        })
        .collect();
    (!areas.is_empty()).then(|| areas.iter().sum::<f64>() / areas.len() as f64)
}

/// The log-odds of each row, told by a classifier that saw no row of its group. `None` where there is too little to learn from.
pub fn log_odds_apart(features: &Features, answers: &[bool], groups: &[&str]) -> Option<Vec<f64>> {
    let mut rows: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    groups.iter().enumerate().for_each(|(row, group)| rows.entry(group).or_default().push(row));
    let rows: Vec<Vec<usize>> = rows.into_values().collect();
    let spread = |groups: &[usize]| groups.iter().flat_map(|&group| rows[group].clone()).collect();
    let mut told = vec![0.0; answers.len()];
    for fold in folds(rows.len(), FOLDS) {
        let fold = Fold { train: spread(&fold.train), test: spread(&fold.test) };
        let odds = log_odds(features, answers, &fold)?;
        fold.test.iter().zip(odds).for_each(|(&row, odds)| told[row] = odds);
    }
    Some(told)
}

fn log_odds(features: &Features, answers: &[bool], fold: &Fold) -> Option<Vec<f64>> {
    let classes: Vec<usize> = answers.iter().map(|&answer| usize::from(answer)).collect();
    let model = fit(features, &classes, fold)?;
    let odds = model.log_odds(&features.select(&fold.test)).ok()?;
    Some(odds.into_iter().map(f64::from).collect())
}

fn fit(features: &Features, classes: &[usize], fold: &Fold) -> Option<LogisticRegression> {
    let own: Vec<usize> = fold.train.iter().map(|&row| classes[row]).collect();
    LogisticRegression::fit(&features.select(&fold.train), features.dimension, &own).ok()
}

/// Share of the pairs of a positive and a negative score in which the positive one is higher; equal ones count half. `None` if
/// all labels are the same.
pub fn auc(scores: &[f64], labels: &[bool]) -> Option<f64> {
    let positives = labels.iter().filter(|&&label| label).count();
    let negatives = labels.len() - positives;
    if positives == 0 || negatives == 0 {
        return None;
    }
    let mut order: Vec<(f64, bool)> = scores.iter().copied().zip(labels.iter().copied()).collect();
    order.sort_by(|left, right| left.0.total_cmp(&right.0));
    let (mut below, mut won) = (0.0, 0.0);
    for equal in order.chunk_by(|left, right| left.0 == right.0) {
        let positive = equal.iter().filter(|(_, label)| *label).count() as f64;
        let negative = equal.len() as f64 - positive;
        won += positive * (below + negative / 2.0);
        below += negative;
    }
    Some(won / (positives as f64 * negatives as f64))
}

#[cfg(test)]
mod tests {
    use super::auc;

    /// scikit-learn 1.9: `roc_auc_score([0, 0, 1, 1, 1], [0.1, 0.4, 0.35, 0.8, 0.4])`.
    #[test]
    fn equal_scores_count_half() {
        let labels = [false, false, true, true, true];
        assert_eq!(auc(&[0.1, 0.4, 0.35, 0.8, 0.4], &labels), Some(0.75));
        assert_eq!(auc(&[0.5; 5], &labels), Some(0.5));
        assert_eq!(auc(&[0.1, 0.2], &[true, true]), None);
    }
}

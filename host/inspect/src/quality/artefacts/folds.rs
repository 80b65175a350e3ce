//! What a classifier learns from features, cross-validated: five folds, drawn with a fixed seed.

use std::collections::BTreeMap;

use mteb_measures::classify::{Fold, LogisticRegression, folds};

use super::auc::auc;
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

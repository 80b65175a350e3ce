//! Features of texts for a classifier that reads nothing: what a text looks like, and which words
//! it has; and what it learns from them, cross-validated: five folds, drawn with a fixed seed, and
//! the area under the ROC curve.

use std::collections::{BTreeMap, HashMap};

use mteb_measures::classify::{Fold, LogisticRegression, folds};
use rayon::prelude::*;

use crate::quality::variety::words;

/// Texts from which on a first word or a word is a feature: of rarer ones nothing can be learned.
const LEAST: usize = 3;
/// Words that are features, the most frequent first.
const WORDS: usize = 1000;

/// Rows of numbers.
pub struct Features {
    /// Row after row.
    pub rows: Vec<f32>,
    /// Numbers of a row.
    pub dimension: usize,
}

impl Features {
    /// What texts look like: lengths, digits, punctuation, capitals, and their first word.
    pub fn surface(texts: &[&str]) -> Self {
        let looks: Vec<Vec<f32>> = texts.iter().map(|text| look(text)).collect();
        let first: Vec<Vec<String>> =
            texts.iter().map(|text| first_word(text).into_iter().collect()).collect();
        Self::of(standardised(looks)).beside(&one_hot(&first, usize::MAX))
    }

    /// What both texts of pairs look like, and how far they differ.
    pub fn surface_of_pairs(left: &[&str], right: &[&str]) -> Self {
        let differences = left.iter().zip(right).map(|(left, right)| {
            let mut row: Vec<f32> =
                look(left).iter().zip(look(right)).map(|(left, right)| (left - right).abs()).collect();
            row.push(f32::from(u8::from(first_word(left) == first_word(right))));
            row
        });
        let differences = Self::of(standardised(differences.collect()));
        Self::surface(left).beside(&Self::surface(right)).beside(&differences)
    }

    /// Which words texts have, and what they look like.
    pub fn words(texts: &[&str]) -> Self {
        let lower = |text: &&str| words(text).iter().map(|word| word.to_lowercase()).collect();
        let found: Vec<Vec<String>> = texts.iter().map(lower).collect();
        Self::surface(texts).beside(&one_hot(&found, WORDS))
    }

    /// The features of the rows at `places`.
    pub fn select(&self, places: &[usize]) -> Vec<f32> {
        let row = |&place: &usize| &self.rows[place * self.dimension..(place + 1) * self.dimension];
        places.iter().flat_map(row).copied().collect()
    }

    fn of(rows: Vec<Vec<f32>>) -> Self {
        let dimension = rows.first().map_or(0, Vec::len);
        Self { rows: rows.concat(), dimension }
    }

    fn beside(&self, other: &Self) -> Self {
        let count = self.rows.len().checked_div(self.dimension).unwrap_or_default();
        let mut rows = Vec::with_capacity(self.rows.len() + other.rows.len());
        for place in 0..count {
            rows.extend(&self.rows[place * self.dimension..(place + 1) * self.dimension]);
            rows.extend(&other.rows[place * other.dimension..(place + 1) * other.dimension]);
        }
        Self { rows, dimension: self.dimension + other.dimension }
    }
}

/// What a text looks like.
fn look(text: &str) -> Vec<f32> {
    let found = words(text);
    let letters = text.chars().filter(|letter| letter.is_alphabetic()).count().max(1) as f32;
    let count = |is: &dyn Fn(char) -> bool| text.chars().filter(|&letter| is(letter)).count() as f32;
    let capitals = count(&char::is_uppercase);
    let digits = count(&|letter| letter.is_ascii_digit());
    let length = text.chars().count() as f32;
    let mut look = vec![
        (1.0 + length).ln(),
        (1.0 + found.len() as f32).ln(),
        letters / found.len().max(1) as f32,
        (1.0 + digits).ln(),
        f32::from(u8::from(digits > 0.0)),
        capitals / letters,
        f32::from(u8::from(text.chars().next().is_some_and(char::is_uppercase))),
        f32::from(u8::from(capitals == 0.0)),
        (1.0 + count(&|letter| !letter.is_alphanumeric() && !letter.is_whitespace() && !letter.is_ascii()))
            .ln(),
    ];
    for mark in ['.', ',', '?', '!', ':', ';', '"', '-', '(', '/'] {
        look.push((1.0 + count(&|letter| letter == mark)).ln());
    }
    for end in ['.', '?', '!'] {
        look.push(f32::from(u8::from(text.trim_end().ends_with(end))));
    }
    look
}

fn first_word(text: &str) -> Option<String> {
    words(text).first().map(|word| word.to_lowercase())
}

/// Each column with mean 0 and variance 1.
fn standardised(mut rows: Vec<Vec<f32>>) -> Vec<Vec<f32>> {
    let (count, dimension) = (rows.len().max(1) as f32, rows.first().map_or(0, Vec::len));
    for column in 0..dimension {
        let mean = rows.iter().map(|row| row[column]).sum::<f32>() / count;
        let variance = rows.iter().map(|row| (row[column] - mean).powi(2)).sum::<f32>() / count;
        let scale = if variance > 0.0 { variance.sqrt() } else { 1.0 };
        rows.iter_mut().for_each(|row| row[column] = (row[column] - mean) / scale);
    }
    rows
}

/// A column for each of the `most` most frequent words: 1 where a text has it.
fn one_hot(texts: &[Vec<String>], most: usize) -> Features {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for text in texts {
        let mut own: Vec<&str> = text.iter().map(String::as_str).collect();
        own.sort_unstable();
        own.dedup();
        own.into_iter().for_each(|word| *counts.entry(word).or_default() += 1);
    }
    let mut frequent: Vec<(&str, usize)> = counts.into_iter().filter(|(_, count)| *count >= LEAST).collect();
    frequent.sort_by(|left, right| right.1.cmp(&left.1).then(left.0.cmp(right.0)));
    frequent.truncate(most);
    let places: HashMap<&str, usize> =
        frequent.iter().enumerate().map(|(place, (word, _))| (*word, place)).collect();
    let dimension = places.len();
    let mut rows = vec![0.0; texts.len() * dimension];
    for (row, text) in texts.iter().enumerate() {
        for place in text.iter().filter_map(|word| places.get(word.as_str())) {
            rows[row * dimension + place] = 1.0;
        }
    }
    Features { rows, dimension }
}

/// Folds of a cross-validation.
const FOLDS: usize = 5;

/// Share of the rows whose class is told. `None` where there is too little to learn from.
pub fn accuracy(features: &Features, classes: &[usize]) -> Option<f64> {
    let count_right = |fold: &Fold| {
        let model = fit(features, classes, fold)?;
        let told = model.predict(&features.select(&fold.test)).ok()?;
        Some(told.iter().zip(&fold.test).filter(|(told, row)| **told == classes[**row]).count())
    };
    let right: usize = folds(classes.len(), FOLDS).par_iter().map(count_right).sum::<Option<usize>>()?;
    (!classes.is_empty()).then(|| right as f64 / classes.len() as f64)
}

/// Mean over the folds of the AUC of `answers`. `None` where there is too little to learn from.
pub fn mean_auc(features: &Features, answers: &[bool]) -> Option<f64> {
    let areas: Vec<f64> = folds(answers.len(), FOLDS)
        .par_iter()
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
    let tell = |fold: &Fold| {
        let fold = Fold { train: spread(&fold.train), test: spread(&fold.test) };
        let odds = log_odds(features, answers, &fold)?;
        Some((fold.test, odds))
    };
    let of_folds: Vec<(Vec<usize>, Vec<f64>)> =
        folds(rows.len(), FOLDS).par_iter().map(tell).collect::<Option<_>>()?;
    let mut told = vec![0.0; answers.len()];
    for (rows, odds) in of_folds {
        rows.into_iter().zip(odds).for_each(|(row, odds)| told[row] = odds);
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

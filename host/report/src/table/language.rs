//! Scores by language.

use std::collections::{BTreeMap, BTreeSet};

use super::board::Board;
use super::row::Row;

/// The mean score of a row for each language: over every split and subset that is of it, as the reference takes it.
pub fn by_language(board: &Board, row: &Row) -> BTreeMap<String, f64> {
    let mut sums: BTreeMap<&str, (f64, usize)> = BTreeMap::new();
    for (column, cell) in board.columns.iter().zip(&row.cells) {
        let languages = column.task.languages();
        for ((_, subset), score) in column.units.iter().zip(&cell.units) {
            let Some(score) = score else { continue };
            for language in languages.of(subset) {
                let sum = sums.entry(language).or_default();
                *sum = (sum.0 + score, sum.1 + 1);
            }
        }
    }
    sums.into_iter().map(|(language, (sum, count))| (language.to_owned(), sum / count as f64)).collect()
}

/// The languages of which a row lacks a unit: its mean of one is that of other tasks than those of others.
pub fn lacking_languages<'a>(board: &'a Board, row: &Row) -> BTreeSet<&'a str> {
    let mut lacking = BTreeSet::new();
    for (column, cell) in board.columns.iter().zip(&row.cells) {
        let languages = column.task.languages();
        for (place, (_, subset)) in column.units.iter().enumerate() {
            if cell.units.get(place).copied().flatten().is_none() {
                lacking.extend(languages.of(subset));
            }
        }
    }
    lacking
}

//! How many rows there are, which texts are empty, and how long texts are.

use mteb_base::counted::{count, count_between};
use mteb_data::{DataError, Table};
use mteb_tasks::{Part, beginning, is_blank, is_only_invisible};
use serde::Serialize;

use super::data::{ColumnTexts, SubsetData, TextAt};
use super::fault::DataFault;
use crate::stats::{UnitStats, for_each_of_row};

/// The name of the check that finds empty texts.
pub const EMPTY_TEXTS: &str = "empty texts";

/// Compares the number of rows of each split or part with what the card declares; every part has at least one. Of the judgements that a
/// card declares those count that are scored.
pub fn check(data: &SubsetData, stats: &[UnitStats]) -> Vec<DataFault> {
    let mut faults = Vec::new();
    for (index, (unit, stats)) in data.units.iter().zip(stats).enumerate() {
        for (&part, table) in unit.parts.iter().filter(|(part, _)| **part != Part::Train || index == 0) {
            let name = data.part_name(unit, part);
            let declared = data.limits.as_ref().and_then(|limits| limits.records.get(&name)).copied();
            let least = declared.unwrap_or(1);
            let judgements = stats.judgements.as_ref().filter(|_| part == Part::Qrels && declared.is_some());
            let rows = judgements.map_or(table.rows(), |judgements| judgements.scored.judgements);
            if rows < least {
                let which = if rows < table.rows() { " whose query and document exist" } else { "" };
                let message =
                    format!("expected at least {} in {name}, found {rows}{which}", count(least, "row"));
                let advice = "add rows, or correct `records` in the card's `[quality]`";
                faults.push(data.fault(unit, "records", Vec::new(), message, advice));
            }
        }
    }
    faults
}

/// Finds empty texts, and those that only look so because nobody sees their characters; a document needs a title or a text.
///
/// # Errors
/// If the titles cannot be read.
pub fn check_empty(data: &SubsetData) -> Result<Vec<DataFault>, DataError> {
    let mut faults = Vec::new();
    for column in &data.columns {
        let corpus = column.unit.get(Part::Corpus).filter(|_| column.part == Part::Corpus);
        // A cell that holds no text is a fault of its type, which a run names.
        let is_empty = |at: &&TextAt| {
            at.is_text && is_blank(&at.text) && corpus.is_none_or(|corpus| !has_title(corpus, at.row))
        };
        let (invisible, empty): (Vec<&TextAt>, Vec<&TextAt>) =
            column.texts.iter().filter(is_empty).partition(|at| is_only_invisible(&at.text));
        for (texts, found) in
            [(empty, "an empty one"), (invisible, "one that holds only invisible characters")]
        {
            let mut rows: Vec<_> =
                texts.iter().map(|at| data.place(column.unit, column.part, at.row)).collect();
            rows.dedup();
            if !rows.is_empty() {
                let message = format!("expected a text in `{}`, found {found}", column.name);
                let advice = "write the text or remove the row";
                faults.push(data.fault(column.unit, EMPTY_TEXTS, rows, message, advice));
            }
        }
    }
    Ok(faults)
}

fn has_title(corpus: &Table, row: usize) -> bool {
    let mut has = false;
    if let Some(titles) = corpus.get("title") {
        for_each_of_row(titles, row, |title| has |= title.is_some_and(|title| !is_blank(title)));
    }
    has
}

/// Lengths of the texts of a column in characters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Lengths {
    /// Shortest.
    pub min: usize,
    /// A quarter is no longer than this.
    pub p25: usize,
    /// Half is no longer than this.
    pub p50: usize,
    /// Three quarters are no longer than this.
    pub p75: usize,
    /// Longest.
    pub max: usize,
}

/// Measures the lengths, and finds texts that are shorter or longer than the card declares.
pub fn check_lengths(data: &SubsetData, column: &ColumnTexts) -> (Lengths, Vec<DataFault>) {
    let lengths: Vec<usize> = column.texts.iter().map(|at| at.text.chars().count()).collect();
    let key = if column.part.is_of_rankings() { column.part.as_str() } else { column.name };
    let range = data.limits.as_ref().and_then(|limits| limits.characters.get(key));
    let mut faults = Vec::new();
    if let Some(&[least, most]) = range {
        // An empty text is a fault of its own.
        let is_off =
            |(at, length): &(&TextAt, &usize)| !(least..=most).contains(*length) && !is_blank(&at.text);
        for (at, length) in column.texts.iter().zip(&lengths).filter(is_off) {
            let message = format!(
                "expected {} in `{}`, found {length}: {}",
                count_between(least, most, "character"),
                column.name,
                beginning(&at.text)
            );
            let rows = vec![data.place(column.unit, column.part, at.row)];
            faults.push(data.fault(
                column.unit,
                "lengths",
                rows,
                message,
                "rewrite the text, or correct `characters` in the card's `[quality]`",
            ));
        }
    }
    (quartiles(lengths), faults)
}

fn quartiles(mut lengths: Vec<usize>) -> Lengths {
    lengths.sort_unstable();
    let quantile = |percent: usize| {
        let place = (lengths.len() * percent).div_ceil(100).max(1) - 1;
        lengths.get(place).copied().unwrap_or_default()
    };
    Lengths { min: quantile(0), p25: quantile(25), p50: quantile(50), p75: quantile(75), max: quantile(100) }
}

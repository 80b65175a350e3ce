//! How long texts are.

use mteb_tasks::beginning;
use serde::Serialize;

use super::data::{ColumnTexts, SubsetData};
use super::fault::DataFault;

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
pub fn check(data: &SubsetData, column: &ColumnTexts) -> (Lengths, Vec<DataFault>) {
    let lengths: Vec<usize> = column.texts.iter().map(|at| at.text.chars().count()).collect();
    let key = if column.part.is_of_rankings() { column.part.as_str() } else { column.name };
    let range = data.limits.as_ref().and_then(|limits| limits.characters.get(key));
    let mut faults = Vec::new();
    if let Some(&[least, most]) = range {
        // An empty text is a fault of its own.
        let is_off = |length: usize| length > 0 && !(least..=most).contains(&length);
        for (at, &length) in column.texts.iter().zip(&lengths).filter(|(_, length)| is_off(**length)) {
            let message = format!(
                "expected {least} to {most} characters in `{}`, found {length}: {}",
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

//! Texts counted: lengths, empty ones, repeated ones.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use mteb_data::{Column, DataError, Table, Texts};
use mteb_tasks::{composed, is_blank};
use serde::Serialize;
use serde_json::Value;

/// What there is to know of the texts of one column.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TextStats {
    /// Texts; the elements of lists count one by one.
    pub count: usize,
    /// Texts that show nothing: white space and invisible characters are all that they hold.
    pub empty: usize,
    /// Cells that hold no text.
    pub missing: usize,
    /// Texts that are there already further up, in one form of their letters (NFC).
    pub repeated: usize,
    /// Lengths in characters (Unicode scalar values); absent without texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub characters: Option<Characters>,
}

/// Lengths of texts. A quantile is a length that occurs: the smallest one that so great a share does not exceed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Characters {
    /// Of all texts together.
    pub total: u64,
    /// Mean.
    pub mean: f64,
    /// Shortest.
    pub min: u32,
    /// A quarter is no longer than this.
    pub p25: u32,
    /// Half is no longer than this.
    pub p50: u32,
    /// Three quarters are no longer than this.
    pub p75: u32,
    /// 95 of 100 are no longer than this.
    pub p95: u32,
    /// 99 of 100 are no longer than this.
    pub p99: u32,
    /// Longest.
    pub max: u32,
}

/// Counts texts; keeps 12 bytes for each, not the text.
#[derive(Default)]
pub struct TextCounter {
    lengths: Vec<u32>,
    seen: HashSet<u64>,
    empty: usize,
    missing: usize,
}

impl TextCounter {
    /// Counts one text.
    pub fn add(&mut self, text: &str) {
        self.lengths.push(u32::try_from(text.chars().count()).unwrap_or(u32::MAX));
        self.seen.insert(text_hash(text));
        self.empty += usize::from(is_blank(text));
    }

    /// Counts a cell without text.
    pub fn add_missing(&mut self) {
        self.missing += 1;
    }

    /// What was counted.
    pub fn finish(mut self) -> TextStats {
        self.lengths.sort_unstable();
        let count = self.lengths.len();
        TextStats {
            count,
            empty: self.empty,
            missing: self.missing,
            repeated: count - self.seen.len(),
            characters: characters(&self.lengths),
        }
    }
}

/// The texts of column `name`, elements of lists one by one, empty where a cell holds none.
///
/// # Errors
/// If there is no such column.
pub fn of(table: &Table, name: &str) -> Result<Texts, DataError> {
    let mut texts = Texts::new();
    for_each(table, name, |text| texts.push(text.unwrap_or_default()))?;
    Ok(texts)
}

/// Calls `take` with each text of column `name`, elements of lists one by one, and with `None` for a cell without.
///
/// # Errors
/// If there is no such column.
pub fn for_each(table: &Table, name: &str, mut take: impl FnMut(Option<&str>)) -> Result<(), DataError> {
    match table.column(name)? {
        Column::Text(texts) => texts.iter().for_each(|text| take(Some(text))),
        Column::Any(cells) => cells.iter().for_each(|cell| visit(cell, &mut take)),
        numbers => (0..numbers.len()).for_each(|_| take(None)),
    }
    Ok(())
}

/// Calls `take` with each text of the cell in `row`, elements of lists one by one, and with `None` if it holds none.
pub fn for_each_of_row(column: &Column, row: usize, mut take: impl FnMut(Option<&str>)) {
    match column {
        Column::Text(texts) => take(Some(&texts[row])),
        other => visit(&other.value(row), &mut take),
    }
}

/// A turn of a conversation is a text or an object with the text as `content`.
fn visit(cell: &Value, take: &mut impl FnMut(Option<&str>)) {
    match cell {
        Value::Array(cells) => cells.iter().for_each(|cell| visit(cell, take)),
        Value::Object(turn) => take(turn.get("content").and_then(Value::as_str)),
        cell => take(cell.as_str()),
    }
}

/// A number that stands for a text; two of ten million texts share one with a chance of three in a million.
pub fn hash(text: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// The number of a text in one form of its letters (NFC): `é` may be one character or two.
pub fn text_hash(text: &str) -> u64 {
    hash(composed(text))
}

fn characters(sorted: &[u32]) -> Option<Characters> {
    let (min, max) = (*sorted.first()?, *sorted.last()?);
    let total: u64 = sorted.iter().map(|&length| u64::from(length)).sum();
    let quantile = |percent: usize| sorted[(sorted.len() * percent).div_ceil(100).max(1) - 1];
    Some(Characters {
        total,
        mean: total as f64 / sorted.len() as f64,
        min,
        p25: quantile(25),
        p50: quantile(50),
        p75: quantile(75),
        p95: quantile(95),
        p99: quantile(99),
        max,
    })
}

//! Texts that are there twice, the same or nearly so, within and across splits and parts.

use std::borrow::Cow;
use std::collections::HashMap;

use mteb_tasks::{Part, beginning, normalised};
use rayon::prelude::*;

use super::data::{ColumnTexts, SubsetData, TextAt};
use super::fault::DataFault;
use crate::near::similar_pairs;

/// The similarity of the closest pair is told from here on.
pub const REPORTED: f64 = 0.4;

/// What was found of one subset.
pub struct Duplicates {
    /// For each column of texts the largest similarity with another text, if it is at least [`REPORTED`].
    pub nearest: Vec<Option<f64>>,
    /// Faults.
    pub faults: Vec<DataFault>,
}

#[derive(Clone, Copy)]
struct Item<'a> {
    column: usize,
    at: &'a TextAt,
}

/// Finds in a set that declares its quality every text that is there twice or nearly so, within and across training and
/// evaluation. Texts that belong together may be alike, but the sides of a pair may not be the same. Documents are compared with their
/// titles, as they are encoded.
pub fn check(data: &SubsetData) -> Duplicates {
    let items: Vec<Item> = data
        .columns
        .iter()
        .enumerate()
        .flat_map(|(column, texts)| texts.texts.iter().map(move |at| Item { column, at }))
        .collect();
    let pairs = Pairs { data, items: &items };
    let normal: Vec<String> = items.par_iter().map(|item| normalised(&pairs.encoded(*item))).collect();
    let nearest = vec![None; data.columns.len()];
    let mut found = Duplicates { nearest, faults: Vec::new() };
    pairs.same(&normal, &mut found);
    if let Some(limits) = &data.limits {
        pairs.alike(&normal, limits.max_similarity, &mut found);
    }
    found
}

struct Pairs<'a> {
    data: &'a SubsetData<'a>,
    items: &'a [Item<'a>],
}

impl Pairs<'_> {
    fn same(&self, normal: &[String], found: &mut Duplicates) {
        let mut seen: HashMap<&str, Vec<usize>> = HashMap::new();
        for (second, text) in normal.iter().enumerate().filter(|(_, text)| !text.is_empty()) {
            let before = seen.entry(text).or_default();
            if let Some(&first) = before.iter().find(|&&first| self.may_not_be_same(first, second)) {
                self.note(first, second, 1.0, found);
                if self.data.limits.is_some() {
                    let is_row = self.items[first].at.group == self.items[second].at.group;
                    found.faults.push(if is_row {
                        self.sides(first, second)
                    } else {
                        self.fault(first, second, "duplicates", "the same text")
                    });
                }
            }
            // One text of each column is enough to compare with.
            if before.len() < 2
                || before.iter().all(|&other| self.items[other].column != self.items[second].column)
            {
                before.push(second);
            }
        }
    }

    fn alike(&self, normal: &[String], limit: f64, found: &mut Duplicates) {
        let belong = |first: usize, second: usize| self.items[first].at.group == self.items[second].at.group;
        let left_out = |first: usize, second: usize| {
            belong(first, second) || normal[first] == normal[second] || self.may_repeat(first, second)
        };
        for pair in similar_pairs(normal, limit.min(REPORTED), left_out) {
            self.note(pair.first, pair.second, pair.similarity, found);
            if pair.similarity > limit {
                let what = format!(
                    "nearly the same text (similarity {:.2}, at most {limit:.2} allowed)",
                    pair.similarity
                );
                found.faults.push(self.fault(pair.first, pair.second, "near duplicates", &what));
            }
        }
    }

    /// Texts of one row may be the same only in a list or if one is a topic's query.
    fn may_not_be_same(&self, first: usize, second: usize) -> bool {
        let (left, right) = (self.items[first], self.items[second]);
        let (own, other) = (self.column(left), self.column(right));
        if left.at.group != right.at.group {
            return !self.may_repeat(first, second);
        }
        own.part == Part::Instruction && other.part == Part::Instruction
            || own.part == other.part && own.name != other.name
    }

    /// True if the card lets texts of the column repeat. A training text may not be tested all the same.
    fn may_repeat(&self, first: usize, second: usize) -> bool {
        let (own, other) = (self.column(self.items[first]), self.column(self.items[second]));
        let names = [own.name, own.part.as_str()];
        own.part == other.part
            && own.name == other.name
            && self
                .data
                .limits
                .iter()
                .flat_map(|limits| &limits.may_repeat)
                .any(|name| names.contains(&name.as_str()))
    }

    fn is_overlap(&self, first: usize, second: usize) -> bool {
        let columns = [first, second].map(|item| self.column(self.items[item]));
        let has = |part| columns.iter().any(|column| column.part == part);
        // The training split itself may be evaluated.
        let is_training =
            |column: &&ColumnTexts| column.unit.split == self.data.part_name(column.unit, Part::Train);
        let rows = columns.into_iter().find(|column| column.part == Part::Rows);
        has(Part::Train) && rows.is_some_and(|rows| !is_training(&rows))
    }

    fn note(&self, first: usize, second: usize, similarity: f64, found: &mut Duplicates) {
        for item in [first, second] {
            let nearest = &mut found.nearest[self.items[item].column];
            *nearest = Some(nearest.unwrap_or_default().max(similarity));
        }
    }

    fn fault(&self, first: usize, second: usize, check: &'static str, what: &str) -> DataFault {
        let (left, right) = (self.items[first], self.items[second]);
        let (check, advice) = if self.is_overlap(first, second) {
            ("train/test overlap", "remove or rewrite the training row")
        } else {
            (check, "remove or rewrite one of them")
        };
        let what = format!("{what}{}", self.name_columns(left, right));
        let [own, other] = [left, right].map(|item| self.encoded(item));
        let message = if own == other {
            format!("{what}: {}", beginning(&own))
        } else {
            format!("{what}: {} and {}", beginning(&own), beginning(&other))
        };
        let rows = [left, right].map(|item| {
            let column = self.column(item);
            self.data.place(column.unit, column.part, item.at.row)
        });
        self.data.fault(self.column(left).unit, check, rows.to_vec(), message, advice)
    }

    /// The columns of two texts, if others of their parts have texts, too.
    fn name_columns(&self, left: Item, right: Item) -> String {
        let [own, other] = [left, right].map(|item| self.column(item));
        let is_one_of_several = |column: &ColumnTexts| {
            self.data.columns.iter().any(|more| more.part == column.part && more.name != column.name)
        };
        match (is_one_of_several(own) || is_one_of_several(other), own.name == other.name) {
            (false, _) => String::new(),
            (true, true) => format!(" in `{}`", own.name),
            (true, false) => format!(" in `{}` and `{}`", own.name, other.name),
        }
    }

    fn sides(&self, first: usize, second: usize) -> DataFault {
        let (left, right) = (self.items[first], self.items[second]);
        let column = self.column(left);
        let mut rows: Vec<_> =
            [left, right].map(|item| self.data.place(column.unit, column.part, item.at.row)).to_vec();
        rows.dedup();
        let message = format!("the two texts are the same: {}", beginning(&left.at.text));
        self.data.fault(column.unit, "duplicates", rows, message, "rewrite one of them")
    }

    fn encoded<'t>(&self, item: Item<'t>) -> Cow<'t, str> {
        self.column(item).encoded(item.at)
    }

    fn column(&self, item: Item) -> &ColumnTexts<'_> {
        &self.data.columns[item.column]
    }
}

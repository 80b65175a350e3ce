//! Texts that are there twice, the same or nearly so, within and across splits and parts.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use mteb_tasks::{Part, beginning, normalised};
use rayon::prelude::*;

use super::data::{ColumnTexts, SubsetData, TextAt};
use super::fault::{DataFault, RowPlace, enumeration};
use super::implied::Contradicted;
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
/// titles, as they are encoded. What a contradiction says is not said again, and rows all of whose texts are the same are one fault.
pub fn check(data: &SubsetData, contradicted: &Contradicted) -> Duplicates {
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
    pairs.same(&normal, contradicted, &mut found);
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
    fn same(&self, normal: &[String], contradicted: &Contradicted, found: &mut Duplicates) {
        let mut same: Vec<[usize; 2]> = Vec::new();
        let mut seen: HashMap<&str, Vec<usize>> = HashMap::new();
        // Apart from the others, because the sides of a pair may not be the same even if an earlier
        // row has the text, too.
        let mut of_rows: HashMap<(u64, Part, &str), usize> = HashMap::new();
        for (second, text) in normal.iter().enumerate().filter(|(_, text)| !text.is_empty()) {
            let before = seen.entry(text).or_default();
            let other = before.iter().copied().find(|&first| self.may_not_be_same(first, second));
            let other = other.filter(|&first| !self.are_of_one_group(first, second));
            let item = self.items[second];
            // Columns are in order: if the first one of the row is in the same column as this
            // one, all between them are in it, too.
            let key = (item.at.group, self.column(item).part, text.as_str());
            let side = *of_rows.entry(key).or_insert(second);
            let side = (side != second && self.may_not_be_same(side, second)).then_some(side);
            for first in side.into_iter().chain(other) {
                self.note(first, second, 1.0, found);
                let is_row = self.are_of_one_group(first, second);
                let is_told = || contradicted.names(&[first, second].map(|item| self.place(item)), text);
                if self.data.limits.is_some() && (is_row || !is_told()) {
                    same.push([first, second]);
                }
            }
            // One text of each column is enough to compare with.
            if before.len() < 2
                || before.iter().all(|&other| self.items[other].column != self.items[second].column)
            {
                before.push(second);
            }
        }
        found.faults.extend(self.same_faults(&same));
    }

    /// A fault for each two rows that have a text in common: one for all their texts if these are the same.
    fn same_faults(&self, same: &[[usize; 2]]) -> Vec<DataFault> {
        let mut groups: Vec<Vec<[usize; 2]>> = Vec::new();
        let mut numbers: HashMap<[RowPlace; 2], usize> = HashMap::new();
        for &pair in same {
            let mut places = pair.map(|item| self.place(item));
            places.sort_unstable();
            let number = *numbers.entry(places).or_insert(groups.len());
            if number == groups.len() {
                groups.push(Vec::new());
            }
            groups[number].push(pair);
        }
        let faults = groups.iter().flat_map(|pairs| match self.whole_rows(pairs) {
            Some(fault) => vec![fault],
            None => pairs.iter().map(|&pair| self.same_fault(pair)).collect(),
        });
        faults.collect()
    }

    fn same_fault(&self, [first, second]: [usize; 2]) -> DataFault {
        match self.are_of_one_group(first, second) {
            true => self.sides(first, second),
            false => self.fault(first, second, "duplicates", "the same text"),
        }
    }

    /// The fault of two rows of several columns of which each has the same text in the other row, in whichever column.
    fn whole_rows(&self, pairs: &[[usize; 2]]) -> Option<DataFault> {
        let &[first, second] = pairs.first()?;
        let mut rows = [first, second].map(|item| self.place(item));
        if rows[0].part == rows[1].part {
            rows.sort_unstable();
        }
        let of_row = |pair: &[usize; 2]| pair.iter().copied().find(|&item| self.place(item) == rows[0]);
        let mut own: Vec<usize> = pairs.iter().filter_map(of_row).collect();
        own.sort_unstable_by_key(|&item| self.items[item].column);
        let of = self.column(self.items[*own.first()?]);
        let is_sibling = |column: &&ColumnTexts| column.part == of.part && column.unit.split == of.unit.split;
        let columns = self.data.columns.iter().filter(is_sibling).count();
        let are_all = own.len() == columns
            && own.windows(2).all(|pair| self.items[pair[0]].column != self.items[pair[1]].column);
        if columns < 2 || !are_all || rows[0] == rows[1] {
            return None;
        }
        let names: Vec<String> =
            own.iter().map(|&item| format!("`{}`", self.column(self.items[item]).name)).collect();
        let texts: Vec<String> = own.iter().map(|&item| beginning(&self.encoded(self.items[item]))).collect();
        let message = format!("the same texts in {}: {}", enumeration(&names), enumeration(&texts));
        let (check, advice) = self.kind(first, second, "duplicates");
        let unit = self.column(self.items[first]).unit;
        Some(self.data.fault(unit, check, rows.to_vec(), message, advice))
    }

    fn alike(&self, normal: &[String], limit: f64, found: &mut Duplicates) {
        let compared = self.choose_compared(normal);
        let texts: Vec<&str> = compared.iter().map(|&item| normal[item].as_str()).collect();
        let left_out = |first: usize, second: usize| {
            let (first, second) = (compared[first], compared[second]);
            self.are_of_one_group(first, second)
                || normal[first] == normal[second]
                || self.may_repeat(first, second)
        };
        let mut told = HashSet::new();
        for pair in similar_pairs(&texts, limit.min(REPORTED), left_out) {
            let [first, second] = [pair.first, pair.second].map(|text| compared[text]);
            self.note(first, second, pair.similarity, found);
            let mut both = [first, second].map(|item| (normal[item].as_str(), self.items[item].column));
            both.sort_unstable();
            if pair.similarity > limit && told.insert(both) {
                let what = format!(
                    "nearly the same text (similarity {:.2}, at most {limit:.2} allowed)",
                    pair.similarity
                );
                found.faults.push(self.fault(first, second, "near duplicates", &what));
            }
        }
    }

    /// The texts that are compared: of the same ones in a column two that do not belong together,
    /// because what belongs to the one is compared with the other. More of them would say the same
    /// again, and take time that grows with the square of their number.
    fn choose_compared(&self, normal: &[String]) -> Vec<usize> {
        let mut groups: HashMap<(usize, &str), Vec<u64>> = HashMap::new();
        let is_compared = |&item: &usize| {
            let Item { column, at } = self.items[item];
            let chosen = groups.entry((column, normal[item].as_str())).or_default();
            let is_other = chosen.len() < 2 && !chosen.contains(&at.group);
            if is_other {
                chosen.push(at.group);
            }
            is_other
        };
        (0..normal.len()).filter(is_compared).collect()
    }

    /// True if two texts belong together.
    fn are_of_one_group(&self, first: usize, second: usize) -> bool {
        self.items[first].at.group == self.items[second].at.group
    }

    /// Texts of one row may be the same only in a list or if one is a topic's query.
    fn may_not_be_same(&self, first: usize, second: usize) -> bool {
        let (left, right) = (self.items[first], self.items[second]);
        let (own, other) = (self.column(left), self.column(right));
        if !self.are_of_one_group(first, second) {
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

    /// The check that two texts break, which is another one for a training text that is tested, and what to do.
    fn kind(&self, first: usize, second: usize, check: &'static str) -> (&'static str, &'static str) {
        if self.is_overlap(first, second) {
            ("train/test overlap", "remove or rewrite the training row")
        } else {
            (check, "remove or rewrite one of them")
        }
    }

    fn place(&self, item: usize) -> RowPlace {
        let column = self.column(self.items[item]);
        self.data.place(column.unit, column.part, self.items[item].at.row)
    }

    fn fault(&self, first: usize, second: usize, check: &'static str, what: &str) -> DataFault {
        let (left, right) = (self.items[first], self.items[second]);
        let (check, advice) = self.kind(first, second, check);
        let what = format!("{what}{}", self.name_columns(left, right));
        let [own, other] = [left, right].map(|item| self.encoded(item));
        let message = if own == other {
            format!("{what}: {}", beginning(&own))
        } else {
            format!("{what}: {} and {}", beginning(&own), beginning(&other))
        };
        let rows = [first, second].map(|item| self.place(item));
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

//! Labels that are unknown or alone, or not as frequent as the card declares.

use std::collections::{BTreeMap, BTreeSet};

use mteb_base::counted::count_between;
use mteb_data::{DataError, Table, written};
use mteb_tasks::{Part, Unit, beginning, facts};
use serde_json::Value;

use super::data::SubsetData;
use super::fault::{DataFault, enumeration};
use super::limits::Limits;
use crate::stats::UnitStats;

/// Checks of a set that declares its quality that there are at least two labels, that training has all of those that are
/// tested, and that they are the ones that the card declares. Of other sets a run says what it finds in their labels.
///
/// # Errors
/// If there is no column of labels.
pub fn check(data: &SubsetData) -> Result<Vec<DataFault>, DataError> {
    let mut faults = Vec::new();
    let Some(name) = facts(data.card.task_type).label_column().filter(|_| data.limits.is_some()) else {
        return Ok(faults);
    };
    for (index, unit) in data.units.iter().enumerate() {
        let trained = match unit.get(Part::Train) {
            Some(train) => Some(different(&row_labels(train, name)?)),
            None => None,
        };
        for part in [Part::Rows, Part::Train].into_iter().filter(|part| *part == Part::Rows || index == 0) {
            let Some(table) = unit.get(part) else { continue };
            let labels = Labels { data, unit, part, rows: row_labels(table, name)? };
            faults.extend(labels.single());
            faults.extend(labels.declared());
            if let Some(trained) = trained.as_ref().filter(|_| part == Part::Rows) {
                let advice = "correct the label, or add training rows with it";
                faults.extend(labels.unknown(trained, "labels that training rows have", advice));
            }
        }
    }
    Ok(faults)
}

struct Labels<'a> {
    data: &'a SubsetData<'a>,
    unit: &'a Unit,
    part: Part,
    rows: Vec<Vec<String>>,
}

impl Labels<'_> {
    fn single(&self) -> Option<DataFault> {
        let labels = different(&self.rows);
        (labels.len() < 2).then(|| {
            let found = labels.into_iter().collect::<Vec<_>>();
            let part = self.data.part_name(self.unit, self.part);
            let found =
                if found.is_empty() { "none".to_owned() } else { format!("only {}", beginning(&found[0])) };
            let message = format!("expected at least two different labels in {part}, found {found}");
            self.data.fault(self.unit, "labels", Vec::new(), message, "add rows with other labels")
        })
    }

    /// Labels are what the card declares, if it does.
    fn declared(&self) -> Vec<DataFault> {
        let advice = "correct the label, or `labels` in the card's `[quality]`";
        let Some(limits) = self.data.limits.as_ref().filter(|limits| !limits.labels.is_empty()) else {
            return Vec::new();
        };
        let known: BTreeSet<String> = limits.labels.iter().cloned().collect();
        let mut faults = self.unknown(&known, "labels that the card declares", advice);
        let absent: Vec<String> = known.difference(&different(&self.rows)).cloned().collect();
        if !absent.is_empty() {
            let part = self.data.part_name(self.unit, self.part);
            let absent: Vec<String> = absent.iter().map(|label| beginning(label)).collect();
            let message =
                format!("expected rows with the label {} in {part}, found none", enumeration(&absent));
            let advice = "add rows, or correct `labels` in the card's `[quality]`";
            faults.push(self.data.fault(self.unit, "labels", Vec::new(), message, advice));
        }
        faults
    }

    /// A fault for each label outside `known`.
    fn unknown(&self, known: &BTreeSet<String>, expected: &str, advice: &'static str) -> Vec<DataFault> {
        let labels = different(&self.rows);
        let unknown = labels.difference(known);
        unknown
            .filter_map(|label| {
                let message = format!("expected {expected}, found {}", beginning(label));
                self.rows_fault(|labels| labels.contains(label), message, advice)
            })
            .collect()
    }

    fn rows_fault(
        &self,
        is_wrong: impl Fn(&[String]) -> bool,
        message: String,
        advice: &'static str,
    ) -> Option<DataFault> {
        let wrong = (0..self.rows.len()).filter(|&row| is_wrong(&self.rows[row]));
        let rows: Vec<_> = wrong.map(|row| self.data.place(self.unit, self.part, row)).collect();
        (!rows.is_empty()).then(|| self.data.fault(self.unit, "labels", rows, message, advice))
    }
}

/// The labels of each row as texts, elements of lists one by one.
fn row_labels(table: &Table, name: &str) -> Result<Vec<Vec<String>>, DataError> {
    let column = table.column(name)?;
    let labels = |row| {
        let mut labels = Vec::new();
        collect(&column.value(row), &mut labels);
        labels
    };
    Ok((0..table.rows()).map(labels).collect())
}

fn collect(cell: &Value, labels: &mut Vec<String>) {
    match cell {
        Value::Array(cells) => cells.iter().for_each(|cell| collect(cell, labels)),
        Value::Null => {}
        label => labels.push(written(label)),
    }
}

fn different(rows: &[Vec<String>]) -> BTreeSet<String> {
    rows.iter().flatten().cloned().collect()
}

/// Compares the share of each label with the one that the card declares, in evaluation and in training rows.
pub fn check_balance(data: &SubsetData, stats: &[UnitStats]) -> Vec<DataFault> {
    let mut faults = Vec::new();
    let Some(limits) = &data.limits else { return faults };
    for (index, (unit, stats)) in data.units.iter().zip(stats).enumerate() {
        for (part, described) in stats.parts.iter().filter(|(part, _)| **part != "train" || index == 0) {
            let Some(labels) = &described.labels else { continue };
            let name = if *part == "rows" { unit.split.as_str() } else { part };
            for (label, found, range) in departures(&labels.counts, limits) {
                let message = format!(
                    "expected {} with the label {} in {name}, found {found}",
                    count_between(range[0], range[1], "row"),
                    beginning(label)
                );
                let advice = "balance the labels, or correct `label_shares` or `label_tolerance` in the card's `[quality]`";
                faults.push(data.fault(unit, "label balance", Vec::new(), message, advice));
            }
        }
    }
    faults
}

/// From which count to which a label that should have `expected` rows may have them. The whole numbers next to `expected` are among them,
/// for rows cannot be parted.
fn allowed_counts(expected: f64, tolerance: f64) -> [usize; 2] {
    let off = expected * tolerance;
    let (least, most) = ((expected - off).ceil(), (expected + off).floor());
    [least.min(expected.floor()) as usize, most.max(expected.ceil()) as usize]
}

/// Labels whose count lies outside the range that their share allows: label, count, range.
fn departures<'a>(
    counts: &'a BTreeMap<String, usize>,
    limits: &'a Limits,
) -> Vec<(&'a str, usize, [usize; 2])> {
    let total: usize = counts.values().sum();
    let even = 1.0 / counts.len().max(1) as f64;
    let departure = |(label, &count): (&'a String, &usize)| {
        let expected = total as f64 * limits.label_shares.get(label).copied().unwrap_or(even);
        let range = allowed_counts(expected, limits.label_tolerance);
        (!(range[0]..=range[1]).contains(&count)).then_some((label.as_str(), count, range))
    };
    // A label that is declared and occurs nowhere is one, too.
    let absent = limits.label_shares.keys().filter(|label| !counts.contains_key(*label));
    counts.iter().chain(absent.map(|label| (label, &0))).filter_map(departure).collect()
}

#[cfg(test)]
mod tests {
    use super::allowed_counts;

    #[test]
    fn a_label_may_have_what_its_share_is_rounded_to() {
        assert_eq!(allowed_counts(100.0, 0.1), [90, 110]);
        assert_eq!(allowed_counts(1.5, 0.1), [1, 2], "six rows of four labels cannot be parted otherwise");
        assert_eq!(allowed_counts(1.25, 0.0), [1, 2]);
        assert_eq!(allowed_counts(3.0, 0.0), [3, 3]);
    }
}

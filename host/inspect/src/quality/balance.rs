//! Whether labels are as frequent as the card declares.

use std::collections::BTreeMap;

use mteb_tasks::beginning;

use super::data::SubsetData;
use super::fault::DataFault;
use super::limits::Limits;
use crate::stats::UnitStats;

/// Compares the share of each label with the one that the card declares, in evaluation and in training rows.
pub fn check(data: &SubsetData, stats: &[UnitStats]) -> Vec<DataFault> {
    let mut faults = Vec::new();
    let Some(limits) = &data.limits else { return faults };
    for (index, (unit, stats)) in data.units.iter().zip(stats).enumerate() {
        for (part, described) in stats.parts.iter().filter(|(part, _)| **part != "train" || index == 0) {
            let Some(labels) = &described.labels else { continue };
            let name = if *part == "rows" { unit.split.as_str() } else { part };
            for (label, found, range) in departures(&labels.counts, limits) {
                let message = format!(
                    "expected {} to {} rows with the label {} in {name}, found {found}",
                    range[0],
                    range[1],
                    beginning(label)
                );
                let advice = "balance the labels, or correct `label_shares` or `label_tolerance` in the card's `[quality]`";
                faults.push(data.fault(unit, "label balance", Vec::new(), message, advice));
            }
        }
    }
    faults
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
        let off = expected * limits.label_tolerance;
        let range = [(expected - off).ceil() as usize, (expected + off).floor() as usize];
        (!(range[0]..=range[1]).contains(&count)).then_some((label.as_str(), count, range))
    };
    // A label that is declared and occurs nowhere is one, too.
    let absent = limits.label_shares.keys().filter(|label| !counts.contains_key(*label));
    counts.iter().chain(absent.map(|label| (label, &0))).filter_map(departure).collect()
}

//! Whether scores lie on their scale and cover it.

use mteb_base::counted::count;
use mteb_data::DataError;
use mteb_tasks::{Part, Unit, facts};
use serde_json::Value;

use super::data::SubsetData;
use super::fault::DataFault;
use super::limits::Limits;

/// Checks that scores lie within the scale that the card declares, and that they cover it. Of a card that declares nothing it is said
/// as a run says it: the scores stand.
///
/// # Errors
/// If there is no column of scores.
pub fn check(data: &SubsetData) -> Result<Vec<DataFault>, DataError> {
    let mut faults = Vec::new();
    let Some(name) = facts(data.card.task_type).score_column() else { return Ok(faults) };
    for unit in data.units {
        let table = unit.part(Part::Rows)?;
        let column = table.column(name)?;
        let mut scores = Vec::new();
        for row in 0..table.rows() {
            let cell = column.value(row);
            let cells = cell.as_array().map_or_else(|| vec![&cell], |cells| cells.iter().collect());
            if let Some(limits) = &data.limits {
                faults.extend(cells.iter().find_map(|cell| off_scale(data, limits, unit, row, cell)));
            }
            scores.extend(cells.iter().filter_map(|cell| cell.as_f64()));
        }
        if let Some(limits) = &data.limits {
            faults.extend(uncovered(data, unit, limits, &scores));
        }
    }
    Ok(faults)
}

fn off_scale(data: &SubsetData, limits: &Limits, unit: &Unit, row: usize, cell: &Value) -> Option<DataFault> {
    let [lowest, highest] = limits.score_scale;
    let score = cell.as_f64()?;
    (!(lowest..=highest).contains(&score)).then(|| {
        let message = format!("expected a score from {lowest} to {highest}, found {cell}");
        let rows = vec![data.place(unit, Part::Rows, row)];
        data.fault(
            unit,
            "scores",
            rows,
            message,
            "correct the score, or `min_score` and `max_score` in the card's `[protocol]`",
        )
    })
}

/// A fault for each part of the scale with too few scores.
fn uncovered(data: &SubsetData, unit: &Unit, limits: &Limits, scores: &[f64]) -> Vec<DataFault> {
    let [lowest, highest] = limits.score_scale;
    let width = (highest - lowest) / limits.score_bins as f64;
    let mut counts = vec![0; limits.score_bins];
    for score in scores.iter().filter(|score| (lowest..=highest).contains(score)) {
        counts[(((score - lowest) / width) as usize).min(limits.score_bins - 1)] += 1;
    }
    let least = (limits.min_bin_share * scores.len() as f64).ceil() as usize;
    let fault = |(bin, found): (usize, &usize)| {
        let (from, to) = (lowest + width * bin as f64, lowest + width * (bin + 1) as f64);
        let message = format!(
            "expected at least {least} of {} from {from} to {to}, found {found}",
            count(scores.len(), "score")
        );
        data.fault(unit, "score coverage", Vec::new(), message, "add rows with such scores")
    };
    counts.iter().enumerate().filter(|(_, count)| **count < least).map(fault).collect()
}

//! A model on a task.

use std::collections::BTreeSet;

use super::column::{Column, UnitScore};
use crate::join::Model;
use crate::reading::{Checks, Footprint};

/// The score of a model on a task, and what is missing of it.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    /// Mean over all units; absent if one is missing.
    pub complete: Option<f64>,
    /// Mean over the units that are there, as the Borda count of the reference takes it.
    pub partial: Option<f64>,
    /// The score of each unit of the column.
    pub units: Vec<Option<f64>>,
    /// Units whose score is no number.
    pub undefined: usize,
    /// Why scores were left out or may not be comparable, each once.
    pub notes: Vec<String>,
    /// True if a score counts although its data may be others.
    pub is_marked: bool,
    /// Revision of its data, where the result says it.
    pub revision: Option<String>,
    /// Seconds of work, where the result says it.
    pub seconds: Option<f64>,
    /// What its scores have cost, where the result says it.
    pub footprint: Option<Footprint>,
}

impl Cell {
    /// The cell of `model` in `column`; a line for each score that cannot be right goes to `warnings`.
    pub fn new(model: &Model, column: &Column, checks: &dyn Checks, warnings: &mut Vec<String>) -> Self {
        let mut cell = Self { units: vec![None; column.units.len()], ..Self::default() };
        let Some(file) = model.files.get(&column.task.name) else { return cell };
        cell.seconds = file.evaluation_time;
        cell.footprint = file.footprint.clone();
        cell.revision = Some(file.dataset_revision.clone()).filter(|revision| !revision.is_empty());
        let entries = file.by_unit();
        let mut of_other_data = [None::<BTreeSet<String>>, None];
        for (place, unit) in column.units.iter().enumerate() {
            let entry = entries.get(&(unit.0.as_str(), unit.1.as_str())).copied();
            match column.score(model, file, (unit, entry), checks) {
                Ok(UnitScore::Score { score, mark }) => {
                    cell.units[place] = Some(score);
                    cell.is_marked |= mark.is_some();
                    cell.note(mark);
                }
                Ok(UnitScore::Missing) => {}
                Ok(UnitScore::Undefined) => cell.undefined += 1,
                Ok(UnitScore::Foreign(why)) => cell.note(Some(why)),
                Ok(UnitScore::OtherData { of_now, change }) => {
                    of_other_data[usize::from(of_now)].get_or_insert_default().extend(change);
                }
                Err(fault) => {
                    let place = format!("{}, {}", model.name, column.task.name);
                    warnings.push(format!("{place}, split {}, subset {}: left out: {fault}", unit.0, unit.1));
                }
            }
        }
        for (changes, than) in of_other_data.into_iter().zip(["the newest result", "those of now"]) {
            cell.note(changes.map(|changes| other_data(changes, than)));
        }
        let scores: Vec<f64> = cell.units.iter().copied().flatten().collect();
        cell.partial = (!scores.is_empty()).then(|| mteb_measures::aggregate::task_score(&scores));
        cell.complete = cell.partial.filter(|_| cell.missing() + cell.undefined == 0);
        cell
    }

    /// Units without a score, those with an undefined one left aside.
    pub fn missing(&self) -> usize {
        self.units.iter().filter(|unit| unit.is_none()).count() - self.undefined
    }

    /// Marks a score that counts although its data may be others; `why` says so.
    pub fn mark(&mut self, why: String) {
        self.is_marked = true;
        self.note(Some(why));
    }

    fn note(&mut self, note: Option<String>) {
        self.notes.extend(note.filter(|note| !self.notes.contains(note)));
    }
}

/// That scores are of other data or options `than` those that count, and the first of what differs.
fn other_data(changes: BTreeSet<String>, than: &str) -> String {
    const NAMED: usize = 3;
    let more = changes.len().saturating_sub(NAMED);
    let named: Vec<String> = changes.into_iter().take(NAMED).collect();
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    let what = if named.is_empty() { String::new() } else { format!(" ({}{more})", named.join("; ")) };
    format!("of other data or options than {than}{what}")
}

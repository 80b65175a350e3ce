//! A model on a task.

use std::collections::BTreeSet;

use super::column::{Column, Unit};
use super::note::CellNote;
use super::score_fault::{LeftOutScore, ScoreFault};
use super::unit_score::{UnitScore, unit_score};
use crate::join::Model;
use crate::reading::{ByUnit, Checks, Footprint, Summary};

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
    pub notes: Vec<CellNote>,
    /// True if a score counts although its data may be others.
    pub is_marked: bool,
    /// True if a score is of the file as it was before others took its place: what lies beside the
    /// file is not of this score.
    pub is_of_before: bool,
    /// Revision of its data, where the result says it.
    pub revision: Option<String>,
    /// Seconds of work, where the result says it.
    pub seconds: Option<f64>,
    /// What its scores have cost, where the result says it.
    pub footprint: Option<Footprint>,
}

impl Cell {
    /// The cell of `model` in `column`; each score that cannot be right goes to `left_out`.
    pub fn new(model: &Model, column: &Column, checks: Checks, left_out: &mut Vec<LeftOutScore>) -> Self {
        let mut cell = Self { units: vec![None; column.units.len()], ..Self::default() };
        let Some(file) = model.files.get(&column.task.name) else { return cell };
        let now = (&**file, file.by_unit());
        let before = model.before.get(&column.task.name).into_iter().flatten();
        let before: Vec<(&Summary, ByUnit)> = before.map(|file| (&**file, file.by_unit())).collect();
        let mut counted: Option<&Summary> = None;
        let mut of_other_data = [None::<BTreeSet<String>>, None];
        for (place, unit) in column.units.iter().enumerate() {
            let (file, found) = current_or_earlier_score(model, column, (&now, &before), unit, checks);
            if let Ok(UnitScore::Score { .. }) = found {
                counted.get_or_insert(file);
                cell.is_of_before |= !std::ptr::eq(file, now.0);
            }
            match found {
                Ok(UnitScore::Score { score, marks }) => {
                    cell.units[place] = Some(score);
                    cell.is_marked |= !marks.is_empty();
                    marks.into_iter().for_each(|mark| cell.note(mark));
                }
                Ok(UnitScore::Missing) => {}
                Ok(UnitScore::Undefined) => cell.undefined += 1,
                Ok(UnitScore::Foreign(why)) => cell.note(CellNote::Data(why)),
                Ok(UnitScore::OtherData { of_now, change }) => {
                    of_other_data[usize::from(of_now)].get_or_insert_default().extend(change);
                }
                // The file is named with it where it is read.
                Err(ScoreFault::InFile(_)) if file.is_ours && checks == Checks::All => {}
                Err(fault) => left_out.push(LeftOutScore {
                    row: model.name.clone(),
                    model: model.name.clone(),
                    task: column.task.name.clone(),
                    unit: unit.clone(),
                    path: model.path_of(file),
                    fault,
                }),
            }
        }
        let file = counted.unwrap_or(file);
        cell.seconds = file.evaluation_time;
        cell.footprint = file.footprint.clone();
        cell.revision = Some(file.dataset_revision.clone()).filter(|revision| !revision.is_empty());
        for (changes, than) in of_other_data.into_iter().zip(["the newest result", "the current ones"]) {
            changes.into_iter().for_each(|changes| cell.note(CellNote::Data(other_data(changes, than))));
        }
        cell.take_means();
        cell
    }

    /// Takes away the score of a unit, which cannot be right.
    pub fn leave_out(&mut self, unit: usize) {
        self.units[unit] = None;
        self.take_means();
    }

    fn take_means(&mut self) {
        let scores: Vec<f64> = self.units.iter().copied().flatten().collect();
        self.partial = (!scores.is_empty()).then(|| mteb_measures::aggregate::task_score(&scores));
        self.complete = self.partial.filter(|_| self.missing() + self.undefined == 0);
    }

    /// Units without a score, those with an undefined one left aside.
    pub fn missing(&self) -> usize {
        self.units.iter().filter(|unit| unit.is_none()).count() - self.undefined
    }

    /// Marks a score that counts although its data may be others; `why` says so.
    pub fn mark(&mut self, why: String) {
        self.is_marked = true;
        self.note(CellNote::Data(why));
    }

    fn note(&mut self, note: CellNote) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// What a model has for a unit in its file of `now`; where that is of other data, or nothing, what
/// it had there `before` that is of the data of the column.
fn current_or_earlier_score<'a>(
    model: &Model,
    column: &Column,
    (now, before): (&(&'a Summary, ByUnit), &[(&'a Summary, ByUnit)]),
    unit: &Unit,
    checks: Checks,
) -> (&'a Summary, Result<UnitScore, ScoreFault>) {
    let of = |(file, entries): &(&'a Summary, ByUnit)| {
        (*file, unit_score(column, model, file, (unit, column.entry(file, entries, unit)), checks))
    };
    let is_old =
        column.entry(now.0, &now.1, unit).is_some_and(|entry| column.is_read_as_old(now.0, entry, unit));
    let now = of(now);
    let may_be_there = is_old
        || matches!(now.1, Ok(UnitScore::Missing | UnitScore::Foreign(_) | UnitScore::OtherData { .. }));
    if !may_be_there {
        return now;
    }
    let mut before: Vec<_> = before.iter().map(of).collect();
    let fits = |(_, found): &(&Summary, Result<UnitScore, ScoreFault>)| matches!(found, Ok(UnitScore::Score { marks, .. }) if marks.is_empty());
    let says_why = |(_, found): &(&Summary, Result<UnitScore, ScoreFault>)| {
        matches!(found, Ok(UnitScore::Foreign(_) | UnitScore::OtherData { .. }))
    };
    let place = before.iter().position(fits);
    let place = place
        .or_else(|| before.iter().position(says_why).filter(|_| matches!(now.1, Ok(UnitScore::Missing))));
    place.map_or(now, |place| before.swap_remove(place))
}

/// That scores are of other data or options `than` those that count, and the first of what differs.
fn other_data(changes: BTreeSet<String>, than: &str) -> String {
    const NAMED: usize = 3;
    let more = changes.len().saturating_sub(NAMED);
    let named: Vec<String> = changes.into_iter().take(NAMED).collect();
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    let what = if named.is_empty() { String::new() } else { format!(" ({}{more})", named.join("; ")) };
    format!("from other data or options than {than}{what}")
}

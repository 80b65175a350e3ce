//! A model on a task: the score of each unit, or the reason why the unit has none that counts.

use std::collections::BTreeSet;

use mteb_card::TaskType;
use serde_json::{Map, Value};

use super::column::{Column, Unit, read_otherwise, split_mark};
use super::note::{CellNote, LeftOutScore, ScoreFault};
use crate::join::Model;
use crate::reading::{ByUnit, Checks, Entry, Footprint, OfOthers, Summary};

/// The score of a model on a task, and what it lacks.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    /// Mean over all units; absent if one is missing.
    pub complete: Option<f64>,
    /// Mean over the existing units, which the Borda count of the reference uses.
    pub partial: Option<f64>,
    /// The score of each unit of the column.
    pub units: Vec<Option<f64>>,
    /// Units whose score is no number.
    pub undefined: usize,
    /// Why scores were left out or may not be comparable, each once.
    pub notes: Vec<CellNote>,
    /// True if a score counts although it may be from other data.
    pub is_marked: bool,
    /// True if a score comes from a superseded copy of the file, so that the companion files do not
    /// belong to it.
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
            changes
                .into_iter()
                .for_each(|changes| cell.note(CellNote::Data(describe_other_data(changes, than))));
        }
        cell.take_means();
        cell
    }

    /// Removes the score of a unit that cannot be right.
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

/// The result of a model for a unit in its current file (`now`). If that file has none, or one on
/// other data, the result on the column's data in earlier copies (`before`).
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
fn describe_other_data(changes: BTreeSet<String>, than: &str) -> String {
    const NAMED: usize = 3;
    let more = changes.len().saturating_sub(NAMED);
    let named: Vec<String> = changes.into_iter().take(NAMED).collect();
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    let what = if named.is_empty() { String::new() } else { format!(" ({}{more})", named.join("; ")) };
    format!("from other data or options than {than}{what}")
}

/// What a model has for a unit.
#[derive(Clone, Debug, PartialEq)]
pub enum UnitScore {
    /// A score; `marks` say why it may not be of the same data as the others, or not be right.
    Score { score: f64, marks: Vec<CellNote> },
    /// No result.
    Missing,
    /// One that is no number: the measure says nothing of these results.
    Undefined,
    /// A score that must not count here, and why.
    Foreign(String),
    /// One of other data or options, and what differs, where that is known.
    OtherData {
        /// Than those of now; else than those of the newest result.
        of_now: bool,
        /// What differs.
        change: Option<String>,
    },
}

/// What `file` of `model` has for `unit` of `column`, of which its entry is `entry`.
///
/// # Errors
/// Why the score cannot be right.
fn unit_score(
    column: &Column,
    model: &Model,
    file: &Summary,
    (unit, entry): (&Unit, Option<&Entry>),
    checks: Checks,
) -> Result<UnitScore, ScoreFault> {
    let of_others = entry.and_then(|entry| entry.of_others.as_ref());
    let is_ours = file.is_ours && of_others.is_none();
    let revision = of_others.map_or(&file.dataset_revision, |of_others| &of_others.dataset_revision);
    let other = column.task.revision.as_ref().filter(|own| *own != revision);
    let found = match revision.as_str() {
        "" | "None" => "an unstated revision".to_owned(),
        found => format!("revision {found}"),
    };
    let other = other.map(|revision| format!("data of {found} instead of {revision}"));
    if let (Some(other), true) = (&other, is_ours) {
        let is_own = column.task.dataset.is_some() && file.entries.iter().any(Entry::is_of_own_data);
        let card = if is_own {
            ", from a card of this name with local data; pass that card with `--registry FILE` to show it"
        } else {
            ""
        };
        return Ok(UnitScore::Foreign(format!("{other}{card}")));
    }
    let Some(entry) = entry else { return Ok(UnitScore::Missing) };
    if let Some(made) = column.other_main_score(entry).filter(|_| is_ours) {
        let own = &column.task.main_score;
        let file = model.path_of(file);
        let file = file.display();
        return Ok(UnitScore::Foreign(format!(
            "made with other options: its main score is {made}, that of the task is now {own} ({file}); \
             `run` scores it again"
        )));
    }
    if let Some(fault) = &entry.fault {
        return Err(ScoreFault::InFile(fault.clone()));
    }
    if is_ours && !entry.main_score.is_some_and(f64::is_finite) {
        check_undefined(column, entry)?;
    }
    let otherwise = read_otherwise(&column.task, file, entry);
    let score = otherwise.as_ref().and_then(|read| read.score);
    let score = score.or_else(|| entry.main(&column.task.main_score));
    if let Some(score) = score {
        check(column, entry, score, is_ours, checks)?;
    }
    if let Some(reason) = of_others.is_none().then(|| find_other_state(model, file, entry, checks)).flatten()
    {
        return Ok(UnitScore::Foreign(reason));
    }
    // The reference accepts results of any revision.
    let of_data = other.or_else(|| of_others.map(OfOthers::mark)).into_iter();
    let of_data = of_data.chain(split_mark(entry, &unit.0)).map(CellNote::Data);
    let doubt = entry.doubt.clone().map(CellNote::Doubt);
    let measure = otherwise.map(|read| CellNote::Measure(read.why));
    let mut marks: Vec<CellNote> = of_data.chain(measure).chain(doubt).collect();
    match (column.made_from(unit), entry.made_from()) {
        (Some(expected), Some(found)) if expected != found => {
            let change = checks.data_change(found, expected, (&unit.0, &unit.1));
            return Ok(UnitScore::OtherData { of_now: column.task.of_now.contains_key(unit), change });
        }
        (Some(_), None) if is_ours => {
            marks = vec![CellNote::Data("it does not record which data it was made from".to_owned())];
        }
        _ => {}
    }
    Ok(match score {
        Some(score) => UnitScore::Score { score, marks },
        // Historic files hold many scores and do not say which one stands for the task.
        None if file.is_historic => match entry.scores.get(&column.task.main_score) {
            Some(_) => return Err(ScoreFault::NoNumber(column.task.main_score.clone())),
            None => UnitScore::Missing,
        },
        None => UnitScore::Undefined,
    })
}

/// A main score without a number stands for a score without one.
fn check_undefined(column: &Column, entry: &Entry) -> Result<(), ScoreFault> {
    let name = column.task.main_score.as_str();
    match entry.scores.get(name).filter(|score| score.is_finite()) {
        Some(score) => Err(ScoreFault::Undefined { name: name.to_owned(), score: *score }),
        None => Ok(()),
    }
}

fn check(
    column: &Column,
    entry: &Entry,
    score: f64,
    is_ours: bool,
    checks: Checks,
) -> Result<(), ScoreFault> {
    checks.check_score("main_score", score)?;
    let name = column.task.main_score.as_str();
    if name.is_empty() {
        return Ok(());
    }
    // Only the pack of a declared type knows the bounds of its scores.
    if !matches!(TaskType::named(&column.task.task_type), Some(TaskType::Own(_))) {
        checks.check_score(name, score)?;
    }
    match entry.scores.get(name) {
        // Both are rounded to six decimals.
        Some(own) if is_ours && (own - score).abs() > 1e-6 => {
            Err(ScoreFault::Other { name: name.to_owned(), found: score })
        }
        _ => Ok(()),
    }
}

/// Why a score does not belong in the row of `model`; `None` if it does, or if nothing contradicts
/// it.
fn find_other_state(model: &Model, file: &Summary, entry: &Entry, checks: Checks) -> Option<String> {
    let found = file.state_of(entry);
    if found == Some("null") {
        return Some("it does not record the state of the model".to_owned());
    }
    let change = || checks.state_change(found?, model.state.as_deref()?);
    let change = change().or_else(|| find_other_prompts(file, entry));
    change
        .map(|change| format!("from another state of the model than its newest result: {change}"))
        .or_else(|| find_changed_member(model, file, entry))
}

/// The roles whose texts had another prompt than in the newest scores of the file.
fn find_other_prompts(file: &Summary, entry: &Entry) -> Option<String> {
    let origin = entry.origin.as_ref().filter(|origin| origin.state.is_some())?;
    let map = |text: &str| serde_json::from_str::<Map<String, Value>>(text).ok();
    let now = map(file.prompts.as_deref()?)?;
    let before = map(origin.prompts.as_deref()?)?;
    let is_other = |(role, prompt): &(&String, &Value)| now.get(*role).is_some_and(|now| now != *prompt);
    let roles: Vec<&str> = before.iter().filter(is_other).map(|(role, _)| role.as_str()).collect();
    (!roles.is_empty()).then(|| format!("prompts of {}", roles.join(", ")))
}

/// Why a mean differs from that of the members' results next to it; `None` if it agrees, or if
/// these results are missing.
fn find_changed_member(model: &Model, file: &Summary, entry: &Entry) -> Option<String> {
    // A mean of now is one of the members of now; one of before may be of theirs of before.
    let is_of_now = model.files.get(&file.task).is_some_and(|now| std::ptr::eq(&**now, file));
    let members = if is_of_now { 1 } else { usize::MAX };
    let is_other = |(name, hash): &(&String, &String)| {
        let mut now = model
            .files_of(name)
            .take(members)
            .filter_map(|member| member.split_made_from(&entry.split))
            .peekable();
        now.peek().is_some() && now.all(|now| now != **hash)
    };
    let changed: Vec<&str> =
        entry.origin.as_ref()?.members.iter().filter(is_other).map(|(name, _)| name.as_str()).collect();
    let (first, more) = (*changed.first()?, changed.len() - 1);
    let more = if more > 0 { format!(" (and {more} more of them)") } else { String::new() };
    Some(format!("its member {first} was scored again since, on other data or with other options{more}"))
}

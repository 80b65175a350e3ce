//! What a model has for a unit of a column: a score, or why it has none that may stand there.

use mteb_card::TaskType;
use serde_json::{Map, Value};

use super::column::{Column, Unit};
use super::note::CellNote;
use super::old_form::{read_otherwise, split_mark};
use super::score_fault::ScoreFault;
use crate::join::Model;
use crate::reading::{Checks, Entry, OfOthers, Summary};

/// What a model has for a unit.
#[derive(Clone, Debug, PartialEq)]
pub enum UnitScore {
    /// A score; `marks` say why it may not be of the same data as the others, or not be right.
    Score { score: f64, marks: Vec<CellNote> },
    /// None.
    Missing,
    /// One that is no number: the measure says nothing of these results.
    Undefined,
    /// One that must not stand here, and why.
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
pub fn unit_score(
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
    if let Some(reason) = of_others.is_none().then(|| other_state(model, file, entry, checks)).flatten() {
        return Ok(UnitScore::Foreign(reason));
    }
    // The reference takes results of any revision.
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
    // What the scores of a type of others may be, its pack knows.
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

/// Why a score does not belong into the row of `model`; `None` if it does, or if nothing says so.
fn other_state(model: &Model, file: &Summary, entry: &Entry, checks: Checks) -> Option<String> {
    let found = file.state_of(entry);
    if found == Some("null") {
        return Some("it does not record the state of the model".to_owned());
    }
    let change = || checks.state_change(found?, model.state.as_deref()?);
    let change = change().or_else(|| other_prompts(file, entry));
    change
        .map(|change| format!("from another state of the model than its newest result: {change}"))
        .or_else(|| changed_member(model, file, entry))
}

/// The roles whose texts had another prompt than in the newest scores of the file.
fn other_prompts(file: &Summary, entry: &Entry) -> Option<String> {
    let origin = entry.origin.as_ref().filter(|origin| origin.state.is_some())?;
    let map = |text: &str| serde_json::from_str::<Map<String, Value>>(text).ok();
    let now = map(file.prompts.as_deref()?)?;
    let before = map(origin.prompts.as_deref()?)?;
    let is_other = |(role, prompt): &(&String, &Value)| now.get(*role).is_some_and(|now| now != *prompt);
    let roles: Vec<&str> = before.iter().filter(is_other).map(|(role, _)| role.as_str()).collect();
    (!roles.is_empty()).then(|| format!("prompts of {}", roles.join(", ")))
}

/// Why a mean is not that of its members as they are beside it; `None` if it is, or if they are not
/// there.
fn changed_member(model: &Model, file: &Summary, entry: &Entry) -> Option<String> {
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

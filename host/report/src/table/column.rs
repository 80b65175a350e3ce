//! A task as a column: its units, and the data and options whose scores may stand there together.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use mteb_card::TaskType;

use crate::benchmark::{Subset, Task};
use crate::join::Model;
use crate::reading::{ByUnit, Checks, Entry, OfOthers, Summary, is_of_own_data};

use super::old_form::{old_score, split_mark, under_old_split};
use super::state::other_state;

/// How the mark of a score begins that does not follow from the parts beside it.
pub const DOUBTFUL: &str = "doubtful: ";

/// Split and subset.
pub type Unit = (String, String);

/// One task.
#[derive(Clone, Debug)]
pub struct Column {
    /// The task.
    pub task: Task,
    /// The units that a complete result has.
    pub units: Vec<Unit>,
    /// What each unit was made from, by the newest result that says it, or by its data as it is now.
    made_from: BTreeMap<Unit, String>,
    /// The lowest and the highest value of its main score.
    pub bounds: (f64, f64),
    /// True if it is a mean of other tasks, and scores of one of them were made from files of the user's own.
    has_own_members: bool,
}

/// What a model has for a unit.
#[derive(Clone, Debug, PartialEq)]
pub enum UnitScore {
    /// A score; `mark` says why it may not be of the same data as the others.
    Score { score: f64, mark: Option<String> },
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

/// A task that is known from its results alone: all units that any of them has.
pub fn task_of_results(name: &str, models: &[Model]) -> Task {
    let entries = || models.iter().filter_map(|model| model.files.get(name)).flat_map(|file| &file.entries);
    let mut splits: Vec<String> = Vec::new();
    let mut subsets: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for entry in entries() {
        if !splits.contains(&entry.split) {
            splits.push(entry.split.clone());
        }
        subsets.entry(&entry.subset).or_default().extend(entry.languages.iter().map(String::as_str));
    }
    splits.sort();
    let origins = || entries().filter_map(|entry| entry.origin.as_ref());
    let subset = |(name, languages): (&str, BTreeSet<&str>)| Subset {
        name: name.to_owned(),
        languages: languages.into_iter().map(str::to_owned).collect(),
    };
    Task {
        name: name.to_owned(),
        task_type: origins()
            .find_map(|origin| origin.task_type.clone())
            .unwrap_or_else(|| "unknown".to_owned()),
        main_score: origins().find_map(|origin| origin.main_score.clone()).unwrap_or_default(),
        splits,
        subsets: subsets.into_iter().map(subset).collect(),
        ..Task::default()
    }
}

impl Column {
    /// The column of a task.
    pub fn new(task: Task, models: &[Model], checks: Checks) -> Self {
        let units: Vec<Unit> = match &task.units {
            Some(units) => units.clone(),
            None => of_results(&task, models),
        };
        let has_own_members = models.iter().any(|model| has_own_members(model, &task.name));
        // Of a task that is known from results alone, nobody may say which score is its main one.
        let bounds = checks
            .bounds(Some(task.main_score.as_str()).filter(|name| !name.is_empty()).unwrap_or("main_score"));
        let mut column = Self { task, units, made_from: BTreeMap::new(), bounds, has_own_members };
        let files = models.iter().flat_map(|model| model.files_of(&column.task.name));
        let is_of_card = |file: &&std::sync::Arc<Summary>| {
            column.task.revision.as_ref().is_none_or(|own| *own == file.dataset_revision)
        };
        let mut files: Vec<_> = files.filter(is_of_card).collect();
        files.sort_by(|left, right| left.date.unwrap_or(0.0).total_cmp(&right.date.unwrap_or(0.0)));
        let entries: Vec<ByUnit> = files.iter().rev().map(|file| file.by_unit()).collect();
        for unit in &column.units {
            if let Some(of_now) = column.task.of_now.get(unit) {
                column.made_from.insert(unit.clone(), of_now.clone());
                continue;
            }
            let key = (unit.0.as_str(), unit.1.as_str());
            let newest = entries.iter().find_map(|entries| {
                entries.get(&key).filter(|entry| column.other_main_score(entry).is_none())?.made_from()
            });
            column.made_from.extend(newest.map(|newest| (unit.clone(), newest.to_owned())));
        }
        column
    }

    /// True if scores that count were made from files of the user's own, or are means of such.
    pub fn is_of_own_data(&self) -> bool {
        self.has_own_members || self.made_from.values().any(|made_from| is_of_own_data(made_from))
    }

    /// Data and options that the scores of `unit` were made from which count, as text; `None` if no result says it.
    pub fn made_from(&self, unit: &Unit) -> Option<&str> {
        self.made_from.get(unit).map(String::as_str)
    }

    /// What `file` of `model` has for `unit`, of which its entry is `entry`.
    ///
    /// # Errors
    /// Why the score cannot be right.
    pub fn score(
        &self,
        model: &Model,
        file: &Summary,
        (unit, entry): (&Unit, Option<&Entry>),
        checks: Checks,
    ) -> Result<UnitScore, String> {
        let of_others = entry.and_then(|entry| entry.of_others.as_ref());
        let is_ours = file.is_ours && of_others.is_none();
        let revision = of_others.map_or(&file.dataset_revision, |of_others| &of_others.dataset_revision);
        let other = self.task.revision.as_ref().filter(|own| *own != revision);
        let found = match revision.as_str() {
            "" | "None" => "an unstated revision".to_owned(),
            found => format!("revision {found}"),
        };
        let other = other.map(|revision| format!("data of {found} instead of {revision}"));
        if let (Some(other), true) = (&other, is_ours) {
            let is_own = self.task.dataset.is_some() && file.entries.iter().any(Entry::is_of_own_data);
            let card = if is_own {
                ", from a card of this name with local data; pass that card with `--registry FILE` to show it"
            } else {
                ""
            };
            return Ok(UnitScore::Foreign(format!("{other}{card}")));
        }
        let Some(entry) = entry else { return Ok(UnitScore::Missing) };
        if let Some(made) = self.other_main_score(entry).filter(|_| is_ours) {
            let own = &self.task.main_score;
            let file = model.file_of(file);
            return Ok(UnitScore::Foreign(format!(
                "made with other options: its main score is {made}, that of the task is now {own} ({file}); \
                 `run` scores it again"
            )));
        }
        if let Some(fault) = &entry.fault {
            return Err(fault.clone());
        }
        if is_ours && !entry.main_score.is_some_and(f64::is_finite) {
            self.check_undefined(entry)?;
        }
        let old = old_score(&self.task, file, entry);
        let score = old.as_ref().map(|(score, _)| *score).or_else(|| entry.main(&self.task.main_score));
        if let Some(score) = score {
            self.check(entry, score, is_ours, checks)?;
        }
        if let Some(reason) = of_others.is_none().then(|| other_state(model, file, entry, checks)).flatten() {
            return Ok(UnitScore::Foreign(reason));
        }
        // The reference takes results of any revision.
        let old = split_mark(entry, &unit.0).into_iter().chain(old.map(|(_, why)| why));
        let doubt = entry.doubt.as_ref().map(|doubt| format!("{DOUBTFUL}{doubt}"));
        let marks: Vec<String> =
            other.or_else(|| of_others.map(OfOthers::mark)).into_iter().chain(old).chain(doubt).collect();
        let mut mark = (!marks.is_empty()).then(|| marks.join("; "));
        match (self.made_from.get(unit), entry.made_from()) {
            (Some(expected), Some(found)) if expected != found => {
                let change = checks.data_change(found, expected, (&unit.0, &unit.1));
                return Ok(UnitScore::OtherData { of_now: self.task.of_now.contains_key(unit), change });
            }
            (Some(_), None) if is_ours => {
                mark = Some("it does not record which data it was made from".to_owned());
            }
            _ => {}
        }
        Ok(match score {
            Some(score) => UnitScore::Score { score, mark },
            // Historic files hold many scores and do not say which one stands for the task.
            None if file.is_historic => match entry.scores.get(&self.task.main_score) {
                Some(_) => {
                    let name = &self.task.main_score;
                    return Err(format!("score `{name}`: expected a number, found none"));
                }
                None => UnitScore::Missing,
            },
            None => UnitScore::Undefined,
        })
    }

    /// What a file has for `unit`, under the name of its split or an old one.
    pub fn entry<'a>(&self, file: &Summary, entries: &ByUnit<'a>, unit: &Unit) -> Option<&'a Entry> {
        let unit = (unit.0.as_str(), unit.1.as_str());
        entries.get(&unit).copied().or_else(|| under_old_split(&self.task, file, entries, unit))
    }

    /// True if what a file has for `unit` stands there under an old name, so that a file that says it plainly comes first.
    pub fn is_read_as_old(&self, file: &Summary, entry: &Entry, unit: &Unit) -> bool {
        entry.split != unit.0 || old_score(&self.task, file, entry).is_some()
    }

    /// The main score that the entry was made for, if it is not that of the task.
    fn other_main_score<'a>(&self, entry: &'a Entry) -> Option<&'a str> {
        let made = entry.origin.as_ref()?.main_score.as_deref()?;
        (!self.task.main_score.is_empty() && made != self.task.main_score).then_some(made)
    }

    /// A main score without a number stands for a score without one.
    fn check_undefined(&self, entry: &Entry) -> Result<(), String> {
        let name = self.task.main_score.as_str();
        match entry.scores.get(name).filter(|score| score.is_finite()) {
            Some(score) => Err(format!(
                "expected `main_score` to be the score `{name}`, which is {score}, found no number"
            )),
            None => Ok(()),
        }
    }

    fn check(&self, entry: &Entry, score: f64, is_ours: bool, checks: Checks) -> Result<(), String> {
        checks.check_score("main_score", score)?;
        let name = self.task.main_score.as_str();
        if name.is_empty() {
            return Ok(());
        }
        // What the scores of a type of others may be, its pack knows.
        if !matches!(TaskType::named(&self.task.task_type), Some(TaskType::Own(_))) {
            checks.check_score(name, score)?;
        }
        match entry.scores.get(name) {
            // Both are rounded to six decimals.
            Some(own) if is_ours && (own - score).abs() > 1e-6 => {
                Err(format!("expected `main_score` to be the score `{name}`, found: {score}"))
            }
            _ => Ok(()),
        }
    }
}

/// True if the result of `task` is a mean of other tasks that has such a one whose data is files of the user's own beside it.
fn has_own_members(model: &Model, task: &str) -> bool {
    let entries = model.files.get(task).into_iter().flat_map(|file| &file.entries);
    let members = entries.filter_map(|entry| entry.origin.as_ref()).flat_map(|origin| origin.members.keys());
    let files = members.filter_map(|member| model.files.get(member));
    files.flat_map(|file| &file.entries).any(Entry::is_of_own_data)
}

/// The units of the task that any result has.
fn of_results(task: &Task, models: &[Model]) -> Vec<Unit> {
    let entries =
        models.iter().filter_map(|model| model.files.get(&task.name)).flat_map(|file| &file.entries);
    let subsets: HashSet<&str> = task.subset_names().into_iter().collect();
    let counts =
        |entry: &&Entry| task.splits.contains(&entry.split) && subsets.contains(entry.subset.as_str());
    let found: BTreeSet<Unit> =
        entries.filter(counts).map(|entry| (entry.split.clone(), entry.subset.clone())).collect();
    found.into_iter().collect()
}

//! A task as a column: its units, and the data and options whose scores may stand there together.

use std::collections::{BTreeMap, BTreeSet};

use mteb_engine::registry::Selected;
use mteb_engine::results::{Json, ResultFile, check_main_score};

use super::folder::ModelFolder;

/// Split and subset.
pub type Unit = (String, String);

/// One task.
#[derive(Clone, Debug)]
pub struct Column {
    /// Name of the task.
    pub task: String,
    /// Type of the task; `unknown` where neither a card nor a result says it.
    pub task_type: String,
    /// The units that a complete result has.
    pub units: Vec<Unit>,
    /// The score that stands for a unit, if it is known.
    main_score: Option<String>,
    /// Revision of the data that the card pins.
    revision: Option<String>,
    /// What each unit was made from, by the newest result that says it.
    made_from: BTreeMap<Unit, String>,
}

/// What a model has for a unit.
#[derive(Clone, Debug, PartialEq)]
pub enum UnitScore {
    /// A score; `mark` says why it may not be of the same data as the others.
    Score { score: f64, mark: Option<String> },
    /// None.
    Missing,
    /// One that must not stand here, and why.
    Foreign(String),
}

impl Column {
    /// The column of a task that a registry knows.
    pub fn of_card(task: &Selected, folders: &[ModelFolder]) -> Self {
        let card = &task.entry.card;
        let units = task.units().map(|(split, subset)| (split.to_owned(), subset.to_owned())).collect();
        let column = Self {
            task: card.name.clone(),
            task_type: card.task_type.to_string(),
            units,
            main_score: Some(card.main_score().to_owned()),
            revision: Some(card.revision().to_owned()),
            made_from: BTreeMap::new(),
        };
        column.with_data(folders)
    }

    /// The column of a task that is known from its results alone: all units that any of them has.
    pub fn of_results(task: &str, folders: &[ModelFolder]) -> Self {
        let files = || folders.iter().filter_map(|folder| folder.files.get(task));
        let units: BTreeSet<Unit> = files().flat_map(units_of).collect();
        let option = |key: &str| {
            let mut told = files().flat_map(|file| units_of(file).into_iter().map(move |unit| (file, unit)));
            told.find_map(|(file, unit)| {
                facts(file, &unit)?.get("options")?.get(key)?.as_text().map(str::to_owned)
            })
        };
        let column = Self {
            task: task.to_owned(),
            task_type: option("type").unwrap_or_else(|| "unknown".to_owned()),
            units: units.into_iter().collect(),
            main_score: option("main_score"),
            revision: None,
            made_from: BTreeMap::new(),
        };
        column.with_data(folders)
    }

    /// What `file` has for `unit`.
    pub fn score(&self, file: &ResultFile, unit: &Unit) -> Result<UnitScore, String> {
        let other = self.revision.as_ref().filter(|revision| **revision != file.dataset_revision);
        let other =
            other.map(|revision| format!("data of revision {} instead of {revision}", file.dataset_revision));
        if let (Some(other), true) = (&other, file.is_ours()) {
            return Ok(UnitScore::Foreign(other.clone()));
        }
        let Some(entry) = file.entry(&unit.0, &unit.1) else { return Ok(UnitScore::Missing) };
        check_main_score(entry, self.main_score.as_deref(), file.is_ours())?;
        if !entry.main_score().is_finite() {
            return Ok(UnitScore::Missing);
        }
        if facts(file, unit).and_then(|facts| facts.get("model")).is_some() {
            return Ok(UnitScore::Foreign("of another state of the model".to_owned()));
        }
        // The reference takes results of any revision.
        let mut mark = other;
        match (self.made_from.get(unit), made_from(file, unit)) {
            (Some(expected), Some(found)) if *expected != found => {
                return Ok(UnitScore::Foreign("of other data or options than the newest result".to_owned()));
            }
            (Some(_), None) if file.is_ours() => {
                mark = Some("it does not say which data it was made from".to_owned());
            }
            _ => {}
        }
        Ok(UnitScore::Score { score: entry.main_score(), mark })
    }

    fn with_data(mut self, folders: &[ModelFolder]) -> Self {
        let files = folders.iter().filter_map(|folder| folder.files.get(&self.task));
        let is_of_card = |file: &&ResultFile| {
            self.revision.as_ref().is_none_or(|revision| *revision == file.dataset_revision)
        };
        let mut files: Vec<&ResultFile> = files.filter(is_of_card).collect();
        files.sort_by(|left, right| left.date.total_cmp(&right.date));
        for unit in &self.units {
            let newest = files.iter().rev().find_map(|file| made_from(file, unit));
            self.made_from.extend(newest.map(|newest| (unit.clone(), newest)));
        }
        self
    }
}

fn units_of(file: &ResultFile) -> Vec<Unit> {
    let units = file
        .splits
        .iter()
        .flat_map(|split| split.entries.iter().map(|entry| (split.split.clone(), entry.subset.clone())));
    units.collect()
}

/// What the file says a unit was made from.
fn facts<'a>(file: &'a ResultFile, (split, subset): &Unit) -> Option<&'a Json> {
    file.host.get("units")?.get(split)?.get(subset)
}

/// Data and options of a unit as text: equal texts mean scores that can be compared.
fn made_from(file: &ResultFile, unit: &Unit) -> Option<String> {
    let facts = facts(file, unit)?;
    let mut data = facts.get("data")?.clone();
    if let Json::Map(entries) = &mut data {
        // Whoever packs the same rows anew changes nothing.
        entries.retain(|(key, _)| key != "code");
    }
    Some(format!("{}{}", data.to_python(0), facts.get("options")?.to_python(0)))
}

//! The companion files of scores in the results folder: outcomes, rankings and predictions of each
//! unit.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use mteb_card::TaskCard;
use mteb_files::{LockedFolder, folder_name, own_name};
use mteb_items::rankings::{Predictions, Rankings, read_facts, read_rankings, read_text, write_trec};
use mteb_json::Json;
use mteb_plugin_api::Identity;

use super::folder_layout::{PREDICTIONS, RANKINGS, copy_aside, spare};

/// Bytes at the head of a run file in which its facts stand.
const HEAD: u64 = 1 << 20;

/// How much a run file holds, as its head says it.
const COUNTS: [&str; 2] = ["queries", "documents"];

/// Queries that found something, and what all of them found.
fn counts(rankings: &Rankings) -> [usize; 2] {
    let found = || rankings.found.iter().map(Vec::len);
    [found().filter(|found| *found > 0).count(), found().sum()]
}

/// Which companion files a run writes: outcomes for all tasks, the others for ranking tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeepFiles {
    /// What single items came to.
    pub outcomes: bool,
    /// TREC run files.
    pub rankings: bool,
    /// Prediction files of the reference.
    pub predictions: bool,
    /// Documents of each query in either.
    pub depth: usize,
}

impl KeepFiles {
    /// Documents of each query that are wanted; `None` if no file is.
    pub fn depth(self) -> Option<usize> {
        (self.rankings || self.predictions).then_some(self.depth)
    }
}

impl Default for KeepFiles {
    fn default() -> Self {
        Self { outcomes: false, rankings: false, predictions: false, depth: 1000 }
    }
}

/// The files beside the results of one model.
#[derive(Clone, Debug)]
pub struct CompanionFiles {
    folder: PathBuf,
}

/// How a companion file relates to its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It has the same inputs as the score.
    Fits,
    /// It is not there.
    Absent,
    /// It cannot be read, or its cells are not those that were written.
    Damaged(PathBuf),
    /// It is of another model, other data or another depth.
    Other(PathBuf),
}

impl Standing {
    /// Why the unit must be scored again to write its `files`; `None` if it need not.
    pub fn reason(&self, files: &str) -> Option<String> {
        match self {
            Self::Fits => None,
            Self::Absent => Some(format!("its {files} are missing")),
            Self::Damaged(path) => Some(format!("its {files} are damaged: {}", path.display())),
            Self::Other(path) => Some(format!("its {files} belong to something else: {}", path.display())),
        }
    }
}

/// A unit of work.
#[derive(Clone, Copy, Debug)]
pub struct UnitName<'a> {
    /// Its task.
    pub task: &'a str,
    /// Its split.
    pub split: &'a str,
    /// Its subset.
    pub subset: &'a str,
}

impl fmt::Display for UnitName<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{}, split {}, subset {}", self.task, self.split, self.subset)
    }
}

impl CompanionFiles {
    /// The files beside the results in `folder`.
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// The folder of the results.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The run file of a unit: what is there, else where it is written. Files of earlier versions
    /// have names that other units can have, and do not say whose they are.
    pub fn rankings(&self, unit: UnitName<'_>) -> PathBuf {
        let (own, earlier) = (self.rankings_by(unit, own_name), self.rankings_by(unit, folder_name));
        let is_earlier = || own.symlink_metadata().is_err() && whose(&earlier) == Whose::Nobodys;
        if earlier != own && is_earlier() { earlier } else { own }
    }

    /// Where the run file of a unit is written.
    pub(super) fn own_rankings(&self, unit: UnitName<'_>) -> PathBuf {
        self.rankings_by(unit, own_name)
    }

    fn rankings_by(&self, unit: UnitName<'_>, name: impl Fn(&str) -> String) -> PathBuf {
        let file = format!("{}.trec.gz", name(unit.subset));
        self.folder.join(RANKINGS).join(name(unit.task)).join(name(unit.split)).join(file)
    }

    /// Makes room for the run file of a unit: that of an earlier score goes if it `is_unwanted`,
    /// what is damaged or something else is moved away.
    fn clear_rankings(&self, unit: UnitName<'_>, is_unwanted: bool) -> io::Result<Option<String>> {
        let (path, own) = (self.rankings(unit), self.rankings_by(unit, own_name));
        let is_named = |found: &Path| match whose(found) {
            Whose::Of(task, split, subset) => {
                (task.as_str(), split.as_str(), subset.as_str()) == (unit.task, unit.split, unit.subset)
            }
            // Other units can have this name, so the file may belong to one of them.
            Whose::Nobodys => found == own,
            Whose::Foreign => false,
        };
        let is_whole = |found: &Path| {
            let head = facts_of(found).ok().flatten().and_then(|facts| Json::parse(&facts).ok());
            head.is_some_and(|head| holds_what_it_says(found, unit, &head))
        };
        let is_ours = |found: &Path| is_named(found) && is_whole(found);
        self.clear((&path, is_unwanted), &format!("whole rankings of {unit}"), is_ours)
    }

    /// Moves what is at `path` away unless it `is_ours`, and gives a line that says so; what is
    /// ours goes if it `is_unwanted`.
    ///
    /// # Errors
    /// If it cannot be removed or moved.
    pub(super) fn clear(
        &self,
        (path, is_unwanted): (&Path, bool),
        what: &str,
        is_ours: impl FnOnce(&Path) -> bool,
    ) -> io::Result<Option<String>> {
        let notes = spare(&self.folder, path, what, is_ours)?;
        if !is_unwanted {
            return Ok(notes);
        }
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(notes),
        }
    }

    /// Writes the run file of a unit, with what it was made from in its head.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_rankings(&self, unit: UnitName<'_>, rankings: &Rankings, facts: &Json) -> io::Result<()> {
        let mut packed = Vec::new();
        let mut head = companion_facts(unit, facts);
        for (key, count) in COUNTS.into_iter().zip(counts(rankings)) {
            head.set(key, Json::Int(count as i64));
        }
        write_trec(rankings, &head.to_python(0), &mut packed)?;
        mteb_files::write(&self.rankings_by(unit, own_name), &packed)
    }

    /// How the run file of a unit relates to `facts`. The whole file is read, because it may be
    /// damaged anywhere.
    pub fn standing_of_rankings(&self, unit: UnitName<'_>, facts: &Json) -> Standing {
        let path = self.rankings(unit);
        let found = match facts_of(&path) {
            Ok(Some(found)) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Standing::Absent,
            _ => return Standing::Damaged(path),
        };
        let says = Json::parse(&found).unwrap_or(Json::Null);
        let mut made_from = says.clone();
        COUNTS.into_iter().for_each(|key| made_from.remove(key));
        let made_from = made_from.to_python(0);
        if made_from != companion_facts(unit, facts).to_python(0) && made_from != facts.to_python(0) {
            return Standing::Other(path);
        }
        if holds_what_it_says(&path, unit, &says) { Standing::Fits } else { Standing::Damaged(path) }
    }

    /// The prediction file of a task.
    pub fn predictions(&self, task: &str) -> PathBuf {
        self.folder.join(PREDICTIONS).join(format!("{}_predictions.json", folder_name(task)))
    }

    /// Writes the rankings of a unit into the prediction file of its task, which has its units in
    /// the order of the `card`. What is there and is none of this model is moved away, and copied
    /// away if it holds more than is replaced; a line says so.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_predictions(
        &self,
        unit: UnitName<'_>,
        rankings: &Rankings,
        (model, card): (&Identity, &TaskCard),
    ) -> io::Result<Option<String>> {
        let folder = self.folder.join(PREDICTIONS);
        let whose = (model, card);
        LockedFolder::change(&folder, |folder| self.write_predictions_in(folder, unit, rankings, whose))
    }

    fn write_predictions_in(
        &self,
        folder: LockedFolder,
        unit: UnitName<'_>,
        rankings: &Rankings,
        (model, card): (&Identity, &TaskCard),
    ) -> io::Result<Option<String>> {
        let path = self.predictions(unit.task);
        let found = self.read_predictions(unit.task, model);
        let is_ours = |path: &Path| found.is_some() && !path.is_symlink();
        let notes =
            spare(&self.folder, &path, &format!("predictions of {} by this model", unit.task), is_ours)?;
        let notes = match &found {
            Some(found) if notes.is_none() => self.spare_predictions(unit, found, Some(rankings))?,
            _ => notes,
        };
        let mut predictions = found.unwrap_or_else(|| Predictions::new(&model.name, &model.revision));
        predictions.insert(unit.split, unit.subset, rankings);
        predictions.arrange(&card.eval_splits, &card.subset_names());
        let name = path.file_name().unwrap_or_default();
        folder.write(name.as_ref(), predictions.to_text().as_bytes())?;
        Ok(notes)
    }

    /// Copies the prediction file of a task away if it holds more of a unit than `new` rankings
    /// replace, and gives a line that says so.
    fn spare_predictions(
        &self,
        unit: UnitName<'_>,
        found: &Predictions,
        new: Option<&Rankings>,
    ) -> io::Result<Option<String>> {
        if !found.loses(unit.split, unit.subset, new) {
            return Ok(None);
        }
        let path = self.predictions(unit.task);
        let kept = copy_aside(&self.folder, &path)?;
        Ok(Some(format!(
            "{}: expected predictions of {unit} only, found others among them; the earlier file is kept as {}",
            path.display(),
            kept.display()
        )))
    }

    /// How the prediction file of its task stands to the unit; `as_rankings` if it is to hold as
    /// much as the run file of the unit: the form of the reference has no place to say how much
    /// that is.
    pub fn standing_of_predictions(
        &self,
        unit: UnitName<'_>,
        model: &Identity,
        as_rankings: bool,
    ) -> Standing {
        let path = self.predictions(unit.task);
        if path.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            return Standing::Absent;
        }
        let shown = path.display().to_string();
        let read = read_text(&path).and_then(|text| Predictions::parse(&shown, &text));
        let Ok(predictions) = read else { return Standing::Damaged(path) };
        if !predictions.is_of(&model.name, &model.revision) || !predictions.has(unit.split, unit.subset) {
            return Standing::Absent;
        }
        let held = as_rankings.then(|| read_rankings(&self.rankings(unit), unit.split, unit.subset).ok());
        let held = held.flatten().map(|held| counts(&held));
        match predictions.rankings(&shown, unit.split, unit.subset).map(|found| counts(&found)) {
            Ok(found) if held.is_some_and(|held| held != found) => Standing::Damaged(path),
            Ok(_) => Standing::Fits,
            Err(_) => Standing::Damaged(path),
        }
    }

    /// Removes what is left of an earlier score of a unit, which is scored anew. What lies in the
    /// place of its files and is something else is moved away; the lines say so.
    ///
    /// # Errors
    /// If it cannot be removed or moved.
    pub fn forget(&self, unit: UnitName<'_>, model: &Identity, keep: KeepFiles) -> io::Result<Vec<String>> {
        let mut notes =
            vec![self.clear_rankings(unit, !keep.rankings)?, self.clear_outcomes(unit, !keep.outcomes)?];
        let holds =
            |found: Option<Predictions>| found.is_some_and(|found| found.has(unit.split, unit.subset));
        if !keep.predictions
            && self.predictions(unit.task).try_exists()?
            && holds(self.read_predictions(unit.task, model))
        {
            let folder = self.folder.join(PREDICTIONS);
            notes.push(LockedFolder::change(&folder, |folder| self.remove_predictions(folder, unit, model))?);
        }
        Ok(notes.into_iter().flatten().collect())
    }

    /// Removes a unit from the current prediction file of its task.
    fn remove_predictions(
        &self,
        folder: LockedFolder,
        unit: UnitName<'_>,
        model: &Identity,
    ) -> io::Result<Option<String>> {
        let Some(mut predictions) = self.read_predictions(unit.task, model) else { return Ok(None) };
        let notes = self.spare_predictions(unit, &predictions, None)?;
        predictions.remove(unit.split, unit.subset);
        let path = self.predictions(unit.task);
        folder.write(path.file_name().unwrap_or_default().as_ref(), predictions.to_text().as_bytes())?;
        Ok(notes)
    }

    pub(super) fn read_predictions(&self, task: &str, model: &Identity) -> Option<Predictions> {
        let path = self.predictions(task);
        let text = read_text(&path).ok()?;
        let predictions = Predictions::parse(&path.display().to_string(), &text).ok()?;
        predictions.is_of(&model.name, &model.revision).then_some(predictions)
    }
}

/// Whose the rankings of a run file are.
#[derive(Debug, PartialEq)]
enum Whose {
    /// Of this task, split and subset.
    Of(String, String, String),
    /// It does not say so, like files of earlier versions.
    Nobodys,
    /// This program has not written it, or it is damaged, or no regular file.
    Foreign,
}

fn whose(path: &Path) -> Whose {
    let facts = if path.is_symlink() { None } else { facts_of(path).ok().flatten() };
    let Some(facts) =
        facts.and_then(|facts| Json::parse(&facts).ok()).filter(|facts| facts.get("model").is_some())
    else {
        return Whose::Foreign;
    };
    let text = |key: &str| facts.get(key).and_then(Json::as_text).map(str::to_owned);
    match (text("task"), text("split"), text("subset")) {
        (Some(task), Some(split), Some(subset)) => Whose::Of(task, split, subset),
        _ => Whose::Nobodys,
    }
}

/// True if all of a run file can be read, and it has as much as its head `says`; those of earlier
/// versions do not say that.
fn holds_what_it_says(path: &Path, unit: UnitName<'_>, says: &Json) -> bool {
    let held = COUNTS.map(|key| says.get(key).and_then(Json::as_number));
    read_rankings(path, unit.split, unit.subset).is_ok_and(|rankings| {
        held.iter().zip(counts(&rankings)).all(|(held, found)| held.is_none_or(|held| held == found as f64))
    })
}

/// The facts in the head of a run file; `None` if it has none.
fn facts_of(path: &Path) -> io::Result<Option<String>> {
    let mut head = Vec::new();
    mteb_files::open(path)?.take(HEAD).read_to_end(&mut head)?;
    Ok(read_facts(&head))
}

/// What a file says of itself: the unit, before what it was made from.
pub(super) fn companion_facts(unit: UnitName<'_>, facts: &Json) -> Json {
    let mut all = Json::object([
        ("task", Json::from(unit.task)),
        ("split", Json::from(unit.split)),
        ("subset", Json::from(unit.subset)),
    ]);
    for (key, value) in facts.as_map().unwrap_or_default() {
        all.set(key, value.clone());
    }
    all
}

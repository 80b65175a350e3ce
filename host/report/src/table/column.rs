//! A task as a column: its units, and the data and options whose scores may stand there together.
//!
//! `cell.rs` has the rule for one score.
//!
//! Scores of others may stand under another name than their task has for them: another measure as
//! main score, or a split as old files call it. The reference reads none of these so; its table
//! (`--like-reference`) is made without this file.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use mteb_card::TaskType;
use mteb_results::reading::{self, old_split};

use crate::benchmark::{Subset, Task};
use crate::join::Model;
use crate::reading::{ByUnit, Checks, Entry, Summary};

/// Split and subset.
pub type Unit = (String, String);

/// One task.
#[derive(Clone, Debug, Default)]
pub struct Column {
    /// The task.
    pub task: Task,
    /// The units that a complete result has.
    pub units: Vec<Unit>,
    /// What each unit was made from, by the newest result that says it, or by its data as it is
    /// now.
    made_from: BTreeMap<Unit, String>,
    /// The lowest and the highest value of its main score.
    pub bounds: (f64, f64),
    /// True if scores that count were made from files of the user's own, or are means of such.
    is_of_own_data: bool,
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
            None => list_units_of_results(&task, models),
        };
        let has_own_members = models.iter().any(|model| has_own_members(model, &task.name));
        // Of a task that is known from results alone, nobody may say which score is its main one.
        let bounds = checks
            .bounds(Some(task.main_score.as_str()).filter(|name| !name.is_empty()).unwrap_or("main_score"));
        let mut column =
            Self { task, units, made_from: BTreeMap::new(), bounds, is_of_own_data: has_own_members };
        let files = models.iter().flat_map(|model| model.files_of(&column.task.name));
        let is_of_card = |file: &&std::sync::Arc<Summary>| {
            column.task.revision.as_ref().is_none_or(|own| *own == file.dataset_revision)
        };
        let mut files: Vec<_> = files.filter(is_of_card).collect();
        files.sort_by(|left, right| left.date.unwrap_or(0.0).total_cmp(&right.date.unwrap_or(0.0)));
        let entries: Vec<ByUnit> = files.iter().rev().map(|file| file.by_unit()).collect();
        for unit in &column.units {
            if let Some(of_now) = column.task.of_now.get(unit) {
                // Of nobody else's data is asked what it is now.
                column.is_of_own_data = true;
                column.made_from.insert(unit.clone(), of_now.clone());
                continue;
            }
            let key = (unit.0.as_str(), unit.1.as_str());
            let newest = entries.iter().find_map(|entries| {
                let entry = entries.get(&key).filter(|entry| column.other_main_score(entry).is_none())?;
                Some((entry.made_from()?, entry.is_of_own_data()))
            });
            if let Some((made_from, is_of_own_data)) = newest {
                column.is_of_own_data |= is_of_own_data;
                column.made_from.insert(unit.clone(), made_from.to_owned());
            }
        }
        column
    }

    /// True if scores that count were made from files of the user's own, or are means of such.
    pub fn is_of_own_data(&self) -> bool {
        self.is_of_own_data
    }

    /// Data and options that the scores of `unit` were made from which count, as text; `None` if no
    /// result says it.
    pub fn made_from(&self, unit: &Unit) -> Option<&str> {
        self.made_from.get(unit).map(String::as_str)
    }

    /// What a file has for `unit`, under the name of its split or an old one.
    pub fn entry<'a>(&self, file: &Summary, entries: &ByUnit<'a>, unit: &Unit) -> Option<&'a Entry> {
        let unit = (unit.0.as_str(), unit.1.as_str());
        entries.get(&unit).copied().or_else(|| find_under_old_split(&self.task, file, entries, unit))
    }

    /// True if what a file has for `unit` stands there under an old name, so that a file that says
    /// it plainly comes first.
    pub fn is_read_as_old(&self, file: &Summary, entry: &Entry, unit: &Unit) -> bool {
        entry.split != unit.0 || read_otherwise(&self.task, file, entry).is_some()
    }

    /// The main score that the entry was made for, if it is not that of the task.
    pub(super) fn other_main_score<'a>(&self, entry: &'a Entry) -> Option<&'a str> {
        let made = entry.origin.as_ref()?.main_score.as_deref()?;
        (!self.task.main_score.is_empty() && made != self.task.main_score).then_some(made)
    }
}

/// True if the result of `task` is a mean of other tasks that has such a one whose data is files of
/// the user's own beside it.
fn has_own_members(model: &Model, task: &str) -> bool {
    let entries = model.files.get(task).into_iter().flat_map(|file| &file.entries);
    let members = entries.filter_map(|entry| entry.origin.as_ref()).flat_map(|origin| origin.members.keys());
    let files = members.filter_map(|member| model.files.get(member));
    files.flat_map(|file| &file.entries).any(Entry::is_of_own_data)
}

/// The units of the task that any result has.
fn list_units_of_results(task: &Task, models: &[Model]) -> Vec<Unit> {
    let entries =
        models.iter().filter_map(|model| model.files.get(&task.name)).flat_map(|file| &file.entries);
    let subsets: HashSet<&str> = task.subset_names().into_iter().collect();
    let counts =
        |entry: &&Entry| task.splits.contains(&entry.split) && subsets.contains(entry.subset.as_str());
    let found: BTreeSet<Unit> =
        entries.filter(counts).map(|entry| (entry.split.clone(), entry.subset.clone())).collect();
    found.into_iter().collect()
}

/// The entry of a unit under the old name of its split; `None` where there is none.
fn find_under_old_split<'a>(
    task: &Task,
    file: &Summary,
    entries: &ByUnit<'a>,
    (split, subset): (&str, &str),
) -> Option<&'a Entry> {
    let old = old_split(&task.name, split)?;
    let entry = *entries.get(&(old, subset))?;
    (!file.is_ours && !task.splits.iter().any(|split| split == old)).then_some(entry)
}

/// A score of others that is not simply the main score of its entry.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ReadOtherwise {
    /// The score that counts in place of the main score; `None` where this counts although it is another measure.
    pub score: Option<f64>,
    /// Why.
    pub why: String,
}

/// How an entry of others is read whose main score is another measure than that of the task, or which has none; `None` where its main
/// score is that of the task, or nothing is known to stand for it.
pub(super) fn read_otherwise(task: &Task, file: &Summary, entry: &Entry) -> Option<ReadOtherwise> {
    if file.is_ours && entry.of_others.is_none() {
        return None;
    }
    if let Some(other) = entry.other_main(&task.main_score) {
        return Some(ReadOtherwise { score: other.score, why: other.mark() });
    }
    if !file.is_historic {
        return None;
    }
    let old = reading::old_score(TaskType::named(&task.task_type), &task.main_score, entry);
    old.map(|(score, why)| ReadOtherwise { score: Some(score), why })
}

/// Why an entry stands for a unit of another split.
pub(super) fn split_mark(entry: &Entry, split: &str) -> Option<String> {
    (entry.split != split).then(|| format!("its split `{}` stands for `{split}`", entry.split))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(name: &str, task_type: &str, main_score: &str, split: &str) -> Task {
        Task {
            name: name.to_owned(),
            task_type: task_type.to_owned(),
            main_score: main_score.to_owned(),
            splits: vec![split.to_owned()],
            ..Task::default()
        }
    }

    fn file(is_historic: bool, split: &str, main_score: Option<f64>, scores: &[(&str, f64)]) -> Summary {
        let scores = scores.iter().map(|(name, score)| ((*name).to_owned(), *score)).collect();
        let entry = Entry {
            split: split.to_owned(),
            subset: "default".to_owned(),
            main_score,
            scores,
            ..Entry::default()
        };
        Summary { is_historic, entries: vec![entry], ..Summary::default() }
    }

    #[test]
    fn old_reranking_has_its_map_and_no_other_measure_stands_for_it() {
        let task = task("AskUbuntuDupQuestions", "Reranking", "map_at_1000", "test");
        let read = |file: &Summary| read_otherwise(&task, file, &file.entries[0])?.score;
        assert_eq!(read(&file(true, "test", None, &[("map", 0.6), ("mrr", 0.7)])), Some(0.6));
        assert_eq!(read(&file(true, "test", None, &[("mrr", 0.7)])), None);
        assert_eq!(read(&file(true, "test", None, &[("map", f64::NAN)])), None);
        assert_eq!(read(&file(true, "test", None, &[("map", 0.6), ("map_at_1000", 0.5)])), None);
        assert_eq!(read(&file(false, "test", None, &[("map", 0.6)])), None);
        let other = self::task("SciFact", "Retrieval", "ndcg_at_10", "test");
        let file = file(true, "test", None, &[("map", 0.6)]);
        assert_eq!(read_otherwise(&other, &file, &file.entries[0]), None);
    }

    #[test]
    fn a_main_score_that_is_another_measure_gives_way_to_that_of_the_task() {
        let task = task("ToxicConversationsClassification", "Classification", "accuracy", "test");
        let scores = [("accuracy", 0.666), ("ap", 0.126), ("f1", 0.5)];
        for is_historic in [true, false] {
            let read = |main: f64| {
                let file = file(is_historic, "test", Some(main), &scores);
                read_otherwise(&task, &file, &file.entries[0])
            };
            let ReadOtherwise { score, why } = read(0.126).unwrap();
            assert_eq!((score, why.contains("`ap`")), (Some(0.666), true));
            assert_eq!(read(0.666), None);
            // One that is none of the scores is a fault, and stays one.
            assert_eq!(read(0.9), None);
        }
        // Of this host's own such a main score is a fault, too.
        let own = Summary { is_ours: true, ..file(false, "test", Some(0.126), &scores) };
        assert_eq!(read_otherwise(&task, &own, &own.entries[0]), None);
    }

    #[test]
    fn a_main_score_whose_entry_lacks_that_of_the_task_counts_and_is_marked() {
        let task = task("ToxicConversationsClassification", "Classification", "accuracy", "test");
        let file = file(false, "test", Some(0.5), &[("ap", 0.126), ("f1", 0.5)]);
        let ReadOtherwise { score, why } = read_otherwise(&task, &file, &file.entries[0]).unwrap();
        assert_eq!((score, why.contains("it lacks `accuracy`")), (None, true));
    }

    #[test]
    fn the_dev_split_of_msmarco_may_be_called_validation_by_others() {
        let task = task("MSMARCO", "Retrieval", "ndcg_at_10", "dev");
        let mut file = file(true, "validation", None, &[("ndcg_at_10", 0.4)]);
        let found = |task: &Task, file: &Summary| {
            find_under_old_split(task, file, &file.by_unit(), ("dev", "default"))
                .map(|entry| entry.split.clone())
        };
        assert_eq!(found(&task, &file).as_deref(), Some("validation"));
        assert_eq!(found(&Task { name: "NQ".to_owned(), ..task.clone() }, &file), None);
        file.is_ours = true;
        assert_eq!(found(&task, &file), None);
    }
}

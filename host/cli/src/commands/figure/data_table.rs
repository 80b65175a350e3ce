//! Table 2: how many texts each task has and how long they are, as `stats` counts.

use std::collections::BTreeSet;

use mteb_data::DataError;
use mteb_inspect::stats::{PartStats, UnitStats};
use mteb_registry::Selected;
use mteb_report::figure::{DataRow, SplitSize, table_2};
use mteb_source::{DataSources, SourceError};

use super::arguments::{FigureArgs, SizeArgs};
use crate::commands::discover::discover;
use crate::commands::selected::check_locks;
use crate::commands::stats::read_stats;
use crate::exit::Exit;
use crate::output;

/// Places of the splits in a row.
const TRAIN: usize = 0;
const DEV: usize = 1;
const TEST: usize = 2;

/// Splits that a dataset may have beside those of its card.
const SPLITS: [&str; 4] = ["train", "validation", "dev", "test"];

impl FigureArgs {
    pub(super) fn data_table(&self) -> Exit {
        self.try_data_table().unwrap_or_else(|exit| exit)
    }

    fn try_data_table(&self) -> Result<Exit, Exit> {
        let settings = self.board.place.settings();
        let catalog = discover(&settings);
        let tasks = self.choose_whole(&catalog)?;
        let with_data: Vec<Selected> = tasks.iter().flat_map(Selected::with_data).collect();
        check_locks(&with_data, None)?;
        let mut sources = DataSources::new(settings, &catalog);
        let (mut rows, mut exit) = (Vec::new(), Exit::Done);
        for task in &tasks {
            let mut own = Vec::new();
            for member in task.with_data() {
                match rows_of(&member, &self.sizes, &mut sources) {
                    Ok(found) => own.extend(found),
                    Err(error) => {
                        output::failure(error);
                        exit = Exit::Failed;
                    }
                }
            }
            // A mean of tasks has the sum of these above them.
            rows.extend(add_members(task, &own));
            rows.extend(own);
        }
        if rows.is_empty() {
            return Err(exit);
        }
        let printed = self.print(&table_2(&rows));
        Ok(if exit == Exit::Done { printed } else { exit })
    }
}

/// The rows of a task: one, or one a subset.
fn rows_of(task: &Selected, sizes: &SizeArgs, sources: &mut DataSources) -> Result<Vec<DataRow>, UnreadUnit> {
    let card = &task.entry.card;
    let mut rows: Vec<(String, Counted)> = Vec::new();
    for (split, subset) in task.units() {
        let failed = |source| UnreadUnit {
            task: card.name.clone(),
            split: split.to_owned(),
            subset: subset.to_owned(),
            source: Box::new(source),
        };
        let stats = read_stats(task, split, subset, sources).map_err(failed)?;
        let name = if sizes.by_subset { subset } else { "" };
        let place = rows.iter().position(|(of, _)| of == name).unwrap_or(rows.len());
        if place == rows.len() {
            rows.push((name.to_owned(), Counted::default()));
        }
        let counted = &mut rows[place].1;
        counted.add(task, subset, split, &stats);
        // The parts of a ranking task are shared by its splits: counted again, they would be counted twice.
        let is_last = task.splits.last().is_some_and(|last| last == split);
        if sizes.all_splits && is_last && !card.task_type.is_ranking() {
            counted.add_others(task, subset, sources).map_err(failed)?;
        }
    }
    let whole =
        |name: &str| if name.is_empty() { card.name.clone() } else { format!("{} ({name})", card.name) };
    Ok(rows.into_iter().map(|(name, counted)| counted.row(whole(&name), task)).collect())
}

/// A unit whose data cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{task}, split {split}, subset {subset}: {source}")]
struct UnreadUnit {
    task: String,
    split: String,
    subset: String,
    source: Box<SourceError>,
}

/// What was counted of the units of a row.
#[derive(Default)]
struct Counted {
    splits: [SplitSize; 3],
    categories: BTreeSet<&'static str>,
    languages: BTreeSet<String>,
    /// Subsets, each with the places that it has something in.
    filled: BTreeSet<(String, usize)>,
}

impl Counted {
    fn add(&mut self, task: &Selected, subset: &str, split: &str, stats: &UnitStats) {
        let place = place_of(split);
        self.filled.insert((subset.to_owned(), place));
        self.categories.extend(stats.category.map(|category| category.name()));
        self.languages.extend(task.entry.card.subset_languages(subset).iter().map(ToString::to_string));
        for (part, found) in &stats.parts {
            let place = if *part == "train" { TRAIN } else { place };
            self.filled.insert((subset.to_owned(), place));
            self.splits[place] += size(found);
        }
    }

    /// Adds the splits of a subset that its card neither scores nor trains on.
    fn add_others(
        &mut self,
        task: &Selected,
        subset: &str,
        sources: &mut DataSources,
    ) -> Result<(), SourceError> {
        for split in SPLITS {
            let place = place_of(split);
            // `dev` and `validation` may be two names of one split.
            if self.filled.contains(&(subset.to_owned(), place)) {
                continue;
            }
            match read_stats(task, split, subset, sources) {
                Ok(stats) => {
                    self.filled.insert((subset.to_owned(), place));
                    let parts = stats.parts.iter().filter(|(part, _)| **part != "train");
                    parts.for_each(|(_, found)| self.splits[place] += size(found));
                }
                // Most datasets lack some of them.
                Err(error) if is_without_split(&error, split) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn row(self, name: String, task: &Selected) -> DataRow {
        DataRow {
            name,
            task_type: task.entry.card.task_type.to_string(),
            category: self.categories.into_iter().collect::<Vec<_>>().join(", "),
            languages: self.languages.len(),
            splits: self.splits,
        }
    }
}

/// The sum of the rows of a mean of tasks; nothing for other tasks.
fn add_members(task: &Selected, members: &[DataRow]) -> Option<DataRow> {
    let first = members.first().filter(|_| !task.entry.members.is_empty())?;
    let mut splits = [SplitSize::default(); 3];
    for (all, own) in members.iter().flat_map(|row| (0..3).map(|place| (place, row.splits[place]))) {
        splits[all] += own;
    }
    let languages = task.languages().len();
    Some(DataRow { name: task.entry.card.name.clone(), languages, splits, ..first.clone() })
}

/// True if an error only says that the data has no such split.
fn is_without_split(error: &SourceError, split: &str) -> bool {
    match error {
        SourceError::Data(DataError::Missing { .. }) => true,
        // Of files of the user's own it says which one was expected.
        SourceError::Data(DataError::Malformed { message, .. }) => {
            message.starts_with(&format!("expected the split `{split}`"))
        }
        _ => false,
    }
}

fn place_of(split: &str) -> usize {
    if split.starts_with("train") {
        TRAIN
    } else if split.starts_with("dev") || split.starts_with("val") {
        DEV
    } else {
        TEST
    }
}

/// Texts of a part; a title belongs to its document, with a blank between the two.
fn size(part: &PartStats) -> SplitSize {
    let mut size = SplitSize::default();
    for (column, texts) in &part.texts {
        let characters = texts.characters.as_ref().map_or(0, |characters| characters.total);
        if *column == "title" {
            size.characters += characters + (texts.count - texts.empty) as u64;
        } else {
            size.texts += texts.count as u64;
            size.characters += characters;
        }
    }
    size
}

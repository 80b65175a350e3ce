//! Table 2: how many texts each task has and how long they are, as `stats` counts.

use std::collections::BTreeSet;

use mteb_inspect::stats::{PartStats, UnitStats};
use mteb_registry::Selected;
use mteb_report::figure::{DataRow, SplitSize, table_2};
use mteb_source::DataSources;

use super::arguments::FigureArgs;
use crate::commands::discover::discover;
use crate::commands::locks::check_locks;
use crate::commands::stats::stats_of;
use crate::exit::Exit;
use crate::output;

/// Places of the splits in a row.
const TRAIN: usize = 0;
const DEV: usize = 1;
const TEST: usize = 2;

impl FigureArgs {
    pub(super) fn data_table(&self) -> Exit {
        self.try_data_table().unwrap_or_else(|exit| exit)
    }

    fn try_data_table(&self) -> Result<Exit, Exit> {
        let settings = self.board.place.settings();
        let catalog = discover(&settings);
        let tasks = self.chosen(&catalog)?;
        check_locks(&tasks, None)?;
        let mut sources = DataSources::new(settings, &catalog);
        let (mut rows, mut exit) = (Vec::new(), Exit::Done);
        for task in &tasks {
            match row(task, &mut sources) {
                Ok(row) => rows.push(row),
                Err(error) => {
                    output::failure(error);
                    exit = Exit::Failed;
                }
            }
        }
        if rows.is_empty() {
            return Err(exit);
        }
        let printed = self.print(&table_2(&rows));
        Ok(if exit == Exit::Done { printed } else { exit })
    }
}

fn row(task: &Selected, sources: &mut DataSources) -> Result<DataRow, String> {
    let card = &task.entry.card;
    let mut row =
        DataRow { name: card.name.clone(), task_type: card.task_type.to_string(), ..DataRow::default() };
    let (mut categories, mut languages) = (BTreeSet::new(), BTreeSet::new());
    for (split, subset) in task.units() {
        let stats = stats_of(task, split, subset, sources)
            .map_err(|error| format!("{}, split {split}, subset {subset}: {error}", card.name))?;
        categories.extend(stats.category.map(|category| category.name()));
        languages.extend(card.subset_languages(subset).iter().map(ToString::to_string));
        add(&mut row, split, &stats);
    }
    row.category = categories.into_iter().collect::<Vec<_>>().join(", ");
    row.languages = languages.len();
    Ok(row)
}

fn add(row: &mut DataRow, split: &str, stats: &UnitStats) {
    let place = if split.starts_with("train") {
        TRAIN
    } else if split.starts_with("dev") || split.starts_with("val") {
        DEV
    } else {
        TEST
    };
    for (part, found) in &stats.parts {
        let place = if *part == "train" { TRAIN } else { place };
        row.splits[place] += size(found);
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

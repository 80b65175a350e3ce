//! The layout of rows: everything but rankings, in splits of configs (protocol 2.1).

use std::collections::BTreeMap;
use std::path::Path;

use mteb_card::{Layout as LayoutWord, PartSource, TaskCard};
use mteb_data::{Column, DataError, Folder, Table};
use mteb_tasks::{Part, needs_training_split};
use serde_json::Value;

use super::part_place::{PartPlace, UnitOf, filled_source, first_names, merged_splits, named_file};
use super::parts::{Layout, Parts, Readers};
use crate::SourceError;
use crate::transform::{shape, transform_part, transform_together};

/// Among the values that a part of rows keeps: the evaluation split.
const SPLIT: &str = "{split}";

/// Evaluation rows, and training rows if the task type learns.
pub struct Rows;

impl Layout for Rows {
    fn locate(&self, folder: &Folder, unit: UnitOf) -> Result<Vec<PartPlace>, DataError> {
        let mut places = vec![locate_rows(folder, Part::Rows, unit)?];
        if needs_training_split(unit.card, unit.subset) {
            let train = UnitOf { split: unit.card.dataset.training_split(), ..unit };
            places.push(locate_rows(folder, Part::Train, train)?);
        }
        Ok(places)
    }

    fn fits_one_file(&self, unit: UnitOf, _: &Path) -> bool {
        !needs_training_split(unit.card, unit.subset)
    }

    fn read(&self, from: &mut Readers, places: &[PartPlace], unit: UnitOf) -> Result<Parts, SourceError> {
        let UnitOf { card, split, subset } = unit;
        let mut parts = BTreeMap::new();
        for place in places {
            let mut table = read_subset(from, place, unit)?;
            if let Some(source) = card.dataset.parts.get(place.part.as_str()) {
                table = transform_part(table, &of_split(source, split))?;
            }
            parts.insert(place.part, shape(table, card)?);
        }
        transform_together(&mut parts, card, (split, subset))?;
        Ok(Parts::of_files(parts))
    }

    fn part_of_splits(&self) -> Part {
        Part::Rows
    }

    fn parts_by_name(&self) -> Vec<Part> {
        Vec::new()
    }

    fn subset_in<'a>(&self, folder: &Folder, card: &TaskCard, config: &'a str) -> Option<&'a str> {
        let splits = folder.splits(config).unwrap_or_default();
        let is_evaluated = card.eval_splits.iter().any(|split| splits.contains(&split.as_str()));
        Some(config).filter(|config| *config != "default" && is_evaluated)
    }
}

/// The files of a part of `unit`, whose split they are.
///
/// # Errors
/// If the config, the split or the file that the card names is absent.
pub fn locate_rows(folder: &Folder, part: Part, unit: UnitOf) -> Result<PartPlace, DataError> {
    let UnitOf { card, split, subset } = unit;
    let source = filled_source(unit, part);
    let source = source.as_ref();
    if let Some(place) = named_file(folder, part, source)? {
        return Ok(place);
    }
    let config = match (source.and_then(|source| source.config.clone()), card.subset(subset)) {
        (Some(config), _) => config,
        (None, Some(found)) if card.dataset.layout.is_config_per_subset() => {
            found.config.clone().unwrap_or_else(|| subset.to_owned())
        }
        (None, _) => shared_config(folder, card)?,
    };
    let split = source.and_then(|source| source.split.as_deref()).unwrap_or(split);
    PartPlace::of_config(folder, part, &config, merged_splits(card, split), None)
}

/// The one config of a task without subsets, or with subsets that share it.
fn shared_config(folder: &Folder, card: &TaskCard) -> Result<String, DataError> {
    let named = card.dataset.config.as_deref().or(folder.default_config());
    named.map(str::to_owned).ok_or_else(|| DataError::Missing {
        place: folder.path().display().to_string(),
        what: "config",
        name: "default".to_owned(),
        present: first_names(folder.configs()),
    })
}

/// What the card says of a part, with the evaluation split in the place of `{split}` among the
/// values that are kept.
pub fn of_split(source: &PartSource, split: &str) -> PartSource {
    let mut source = source.clone();
    for value in source.keep.values_mut().flatten() {
        if value == SPLIT {
            *value = split.into();
        }
    }
    source
}

fn read_subset(from: &mut Readers, place: &PartPlace, unit: UnitOf) -> Result<Table, DataError> {
    let UnitOf { card, subset, .. } = unit;
    let first_rows = card.dataset.first_rows;
    let sides = card.subset(subset).and_then(|subset| subset.columns.clone());
    match card.dataset.layout {
        LayoutWord::LangColumn => {
            let name = card.subset(subset).and_then(|subset| subset.config.as_deref()).unwrap_or(subset);
            let table = rows_of_language(&*from.read_shared(place, first_rows)?, name)?;
            pairs(table, sides)
        }
        LayoutWord::ParallelColumns => {
            let [left, right] = sides.unwrap_or_else(|| {
                let (left, right) = subset.split_once('-').unwrap_or((subset, subset));
                [left.to_owned(), right.to_owned()]
            });
            let table = from.read_shared(place, first_rows)?;
            table.columns_as([("sentence1", left.as_str()), ("sentence2", right.as_str())])
        }
        LayoutWord::ConfigPerSubset | LayoutWord::PartSuffix | LayoutWord::Belebele => {
            pairs(place.read(first_rows, &from.opener)?, sides)
        }
    }
}

/// Renames the two columns that a subset names.
fn pairs(table: Table, sides: Option<[String; 2]>) -> Result<Table, DataError> {
    match sides {
        Some([left, right]) => table.rename([("sentence1", left.as_str()), ("sentence2", right.as_str())]),
        None => Ok(table),
    }
}

/// Rows whose column `lang` holds the subset's name.
fn rows_of_language(table: &Table, subset: &str) -> Result<Table, DataError> {
    let languages = table.texts("lang")?;
    let rows: Vec<usize> = (0..table.rows()).filter(|&row| &languages[row] == subset).collect();
    if rows.is_empty() {
        return Err(DataError::Missing {
            place: table.place(0).0.to_owned(),
            what: "rows with `lang`",
            name: subset.to_owned(),
            present: some_values(table.column("lang")?),
        });
    }
    Ok(table.select(&rows))
}

fn some_values(column: &Column) -> String {
    let mut values: Vec<String> = (0..column.len())
        .map(|row| column.value(row))
        .map(|value| if let Value::String(text) = value { text } else { value.to_string() })
        .collect();
    values.sort_unstable();
    values.dedup();
    values.truncate(12);
    values.join(", ")
}

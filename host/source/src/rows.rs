//! Units whose data are rows: everything but the ranking types (protocol 2.1).

use std::collections::BTreeMap;

use mteb_card::{Layout, PartSource, TaskCard};
use mteb_data::{Column, DataError, Table};
use mteb_tasks::Part;
use serde_json::Value;

use super::SourceError;
use super::places::PartPlace;
use super::tables::Tables;
use super::transform::{shape, transform_part, transform_together};

/// Among the values that a part of rows keeps: the evaluation split.
const SPLIT: &str = "{split}";

/// The evaluation rows of a unit, and the training rows if the task type learns.
///
/// # Errors
/// If a column is absent, a file is damaged, or a row does not fit what the card says.
pub fn parts(
    tables: &mut Tables,
    places: &[PartPlace],
    card: &TaskCard,
    split: &str,
    subset: &str,
) -> Result<BTreeMap<Part, Table>, SourceError> {
    let mut parts = BTreeMap::new();
    for place in places {
        let mut table = rows_of_subset(tables, place, card, subset)?;
        if let Some(source) = card.dataset.parts.get(place.part.as_str()) {
            table = transform_part(table, &of_split(source, split))?;
        }
        parts.insert(place.part, shape(table, card)?);
    }
    transform_together(&mut parts, card, (split, subset))?;
    Ok(parts)
}

/// What the card says of a part, with the evaluation split in the place of `{split}` among the values that are kept.
pub(super) fn of_split(source: &PartSource, split: &str) -> PartSource {
    let mut source = source.clone();
    for value in source.keep.values_mut().flatten() {
        if value == SPLIT {
            *value = split.into();
        }
    }
    source
}

fn rows_of_subset(
    tables: &mut Tables,
    place: &PartPlace,
    card: &TaskCard,
    subset: &str,
) -> Result<Table, DataError> {
    let first_rows = card.dataset.first_rows;
    let sides = card.subset(subset).and_then(|subset| subset.columns.clone());
    match card.dataset.layout {
        Layout::LangColumn => {
            let name = card.subset(subset).and_then(|subset| subset.config.as_deref()).unwrap_or(subset);
            let table = rows_of_language(&*tables.read(place, first_rows)?, name)?;
            pairs(table, sides)
        }
        Layout::ParallelColumns => {
            let [left, right] = sides.unwrap_or_else(|| {
                let (left, right) = subset.split_once('-').unwrap_or((subset, subset));
                [left.to_owned(), right.to_owned()]
            });
            let table = tables.read(place, first_rows)?;
            table.columns_as([("sentence1", left.as_str()), ("sentence2", right.as_str())])
        }
        Layout::ConfigPerSubset | Layout::PartSuffix | Layout::Belebele => {
            pairs(place.read(first_rows, tables.way())?, sides)
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

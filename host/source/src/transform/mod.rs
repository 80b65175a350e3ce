//! What a card changes in rows, in the order that `Dataset` documents.

mod columns;
mod labels;
mod part;
mod subsample;

use std::collections::{BTreeMap, BTreeSet};

use mteb_base::suggest::some;
use mteb_card::TaskCard;
use mteb_data::{DataError, Table};
use mteb_tasks::Part;
use serde_json::Value;

use self::columns::{join_columns, rename_columns};
use super::SourceError;
use part::{choose_once, fold_rows, is_among};

pub use columns::at_its_place;
pub use part::transform_part;

/// Unfolds, joins and renames columns: what is done to each row by itself.
///
/// # Errors
/// If a named column is absent, or a cell does not hold what the card says.
pub fn shape(mut table: Table, card: &TaskCard) -> Result<Table, DataError> {
    let dataset = &card.dataset;
    if dataset.unfold {
        table = table.unfold()?;
    }
    for (name, join) in &dataset.join {
        table = join_columns(table, name, join)?;
    }
    rename_columns(table, &dataset.columns)
}

/// Chooses rows and replaces labels.
fn choose(mut table: Table, card: &TaskCard) -> Result<Table, DataError> {
    let dataset = &card.dataset;
    for column in &dataset.drop_blank {
        table = table.filter(column, |cell| !is_blank(cell))?;
    }
    for (column, values) in &dataset.keep {
        table = filter_rows(table, ("keep", column), |cell| is_among(cell, values))?;
    }
    for (column, values) in &dataset.drop {
        table = filter_rows(table, ("drop", column), |cell| !is_among(cell, values))?;
    }
    for (column, which) in &dataset.once {
        table = choose_once(&table, column, *which)?;
    }
    if let Some(soft) = &dataset.soft_labels {
        table = labels::harden(table, soft)?;
    }
    if !dataset.label_map.is_empty() {
        let name = labels::label_column(&table);
        table = table.replace_values(name, &dataset.label_map)?;
    }
    if let Some(split) = &dataset.split_labels {
        table = labels::split(table, split)?;
    }
    if dataset.drop_single_labels {
        table = labels::without_singles(&table)?;
    }
    Ok(table)
}

fn is_blank(cell: &Value) -> bool {
    cell.is_null() || cell.as_str().is_some_and(|text| text.trim().is_empty())
}

/// The rows that an option of the card leaves; some of them, if there are any.
fn filter_rows(
    table: Table,
    (option, column): (&str, &str),
    keep: impl Fn(&Value) -> bool,
) -> Result<Table, DataError> {
    let left = table.filter(column, keep)?;
    if left.rows() > 0 || table.rows() == 0 {
        return Ok(left);
    }
    let values: BTreeSet<String> = (0..table.rows())
        .map(|row| table.named_column(column).map(|cells| cells.value(row).to_string()))
        .collect::<Result<_, _>>()?;
    Err(DataError::Malformed {
        place: table.place(0).0.to_owned(),
        message: format!(
            "expected rows that the card's `{option}` keeps, found none of {}: its column `{column}` holds {}",
            table.rows(),
            some(values.iter().map(String::as_str))
        ),
    })
}

/// Chooses rows, encodes labels, divides the rows of a subset without a training split, subsamples and folds; the labels of all parts
/// count.
///
/// # Errors
/// If a cell does not hold what the card says, a label is missing, or the labels cannot be subsampled as the card says.
pub fn transform_together(
    parts: &mut BTreeMap<Part, Table>,
    card: &TaskCard,
    (split, subset): (&str, &str),
) -> Result<(), SourceError> {
    let subsample = card.dataset.subsample.as_ref();
    if let Some(subsample) = subsample.filter(|subsample| subsample.before_keep) {
        subsample::apply(parts, subsample, card, split)?;
    }
    for table in parts.values_mut() {
        *table = choose(std::mem::take(table), card)?;
    }
    if card.dataset.encode_labels {
        labels::encode(parts)?;
    }
    subsample::divide(parts, card, subset)?;
    if let Some(subsample) = subsample.filter(|subsample| !subsample.before_keep) {
        subsample::apply(parts, subsample, card, split)?;
    }
    if let Some(count) = card.dataset.fold {
        for table in parts.values_mut() {
            *table = fold_rows(table, count)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;

//! What a card changes in rows, in the order that `Dataset` documents: first within a split, then across splits.

mod join;
mod labels;
mod soft_labels;
mod subsample;

use std::collections::BTreeMap;

use mteb_card::TaskCard;
use mteb_data::{DataError, Table};
use mteb_tasks::Part;

use super::SourceError;
use super::columns::renamed;

/// Unfolds, joins and renames columns, filters rows and replaces labels.
///
/// # Errors
/// If a named column is absent, or a cell does not hold what the card says.
pub fn transform(mut table: Table, card: &TaskCard) -> Result<Table, DataError> {
    let dataset = &card.dataset;
    if dataset.unfold {
        table = table.unfold()?;
    }
    for (name, columns) in &dataset.join {
        table = join::joined(table, name, columns)?;
    }
    table = renamed(table, &dataset.columns)?;
    for (column, values) in &dataset.keep {
        table = table.filter(column, |cell| values.contains(cell))?;
    }
    for (column, values) in &dataset.drop {
        table = table.filter(column, |cell| !values.contains(cell))?;
    }
    if let Some(soft) = &dataset.soft_labels {
        table = soft_labels::hardened(table, soft)?;
    }
    if !dataset.label_map.is_empty() {
        let name = labels::label_column(&table);
        table = table.replace_values(name, &dataset.label_map)?;
    }
    Ok(table)
}

/// Encodes labels and subsamples, for which the labels of all parts count.
///
/// # Errors
/// If a label is missing, or the labels cannot be subsampled as the card says.
pub fn transform_together(
    parts: &mut BTreeMap<Part, Table>,
    card: &TaskCard,
    split: &str,
) -> Result<(), SourceError> {
    if card.dataset.encode_labels {
        labels::encode(parts)?;
    }
    if let Some(subsample) = &card.dataset.subsample {
        subsample::apply(parts, subsample, card, split)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;

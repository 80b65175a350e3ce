//! Units whose data are rows: everything but the ranking types (protocol 2.1).

use std::collections::BTreeMap;

use mteb_data::{Column, DataError, Folder, Table};
use mteb_evaluators::Part;
use mteb_plugin_api::card::vocabulary::TaskType;
use mteb_plugin_api::card::{Layout, TaskCard};
use serde_json::Value;

use super::SourceError;
use super::columns::canonical;
use super::transform::transform;

/// The evaluation rows of a unit, and the training rows if the task type learns.
///
/// # Errors
/// If a config, split or column is absent, or a file is damaged.
pub fn parts(
    folder: &Folder,
    card: &TaskCard,
    split: &str,
    subset: &str,
) -> Result<BTreeMap<Part, Table>, SourceError> {
    let mut parts = BTreeMap::new();
    parts.insert(Part::Rows, rows(folder, card, split, subset)?);
    if needs_training(card) {
        let train = card.dataset.train_split.as_deref().unwrap_or("train");
        parts.insert(Part::Train, rows(folder, card, train, subset)?);
    }
    Ok(parts)
}

/// True if the type draws its few-shot examples from a training split.
pub fn needs_training(card: &TaskCard) -> bool {
    let learns = matches!(card.task_type, TaskType::Classification | TaskType::MultilabelClassification);
    learns && card.protocol.cross_validation.is_none()
}

fn rows(folder: &Folder, card: &TaskCard, split: &str, subset: &str) -> Result<Table, SourceError> {
    let table = match card.dataset.layout {
        Layout::LangColumn => {
            let config = shared_config(folder, card)?;
            let name = card.subset(subset).and_then(|subset| subset.config.as_deref()).unwrap_or(subset);
            rows_of_language(&folder.read(&config, split)?, name)?
        }
        Layout::ParallelColumns => {
            let config = shared_config(folder, card)?;
            let (left, right) = sides(card, subset);
            let table = folder.read(&config, split)?;
            let (left, right) = (table.column(&left)?.clone(), table.column(&right)?.clone());
            let place = table.place(0).0.to_owned();
            Table::new(place, vec![("sentence1".to_owned(), left), ("sentence2".to_owned(), right)])?
        }
        _ => folder.read(&config_of(folder, card, subset)?, split)?,
    };
    transform(canonical(table, card)?, card)
}

/// The config of a subset.
fn config_of(folder: &Folder, card: &TaskCard, subset: &str) -> Result<String, DataError> {
    match card.subset(subset) {
        Some(found) => Ok(found.config.as_deref().unwrap_or(subset).to_owned()),
        None => shared_config(folder, card),
    }
}

/// The one config of a task without subsets.
pub fn shared_config(folder: &Folder, card: &TaskCard) -> Result<String, DataError> {
    let named = card.dataset.config.as_deref().or(folder.default_config());
    named.map(str::to_owned).ok_or_else(|| DataError::Missing {
        place: folder.path().display().to_string(),
        what: "config",
        name: "default".to_owned(),
        present: folder.configs().collect::<Vec<_>>().join(", "),
    })
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

/// The two columns that a subset of parallel data names.
fn sides(card: &TaskCard, subset: &str) -> (String, String) {
    if let Some([left, right]) = card.subset(subset).and_then(|subset| subset.columns.clone()) {
        return (left, right);
    }
    let (left, right) = subset.split_once('-').unwrap_or((subset, subset));
    (left.to_owned(), right.to_owned())
}

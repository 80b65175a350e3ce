//! Gives the columns of a table the names of the protocol.

use std::collections::BTreeMap;

use mteb_data::{DataError, Table};
use mteb_registry::{Origin, TaskEntry, fault_in};

use super::SourceError;

/// Renames columns by a map of protocol's name = dataset's name, which may be a field of the objects in a column, as
/// `translation.en`.
///
/// # Errors
/// If the table lacks a column that the map names.
pub fn renamed(mut table: Table, names: &BTreeMap<String, String>) -> Result<Table, DataError> {
    for field in names.values() {
        table = table.with_field(field)?;
    }
    let renamed = table.rename(names.iter().map(|(new, old)| (new.as_str(), old.as_str())));
    renamed.map_err(|error| with_advice(error, names))
}

/// The same fault, with what to do about a column that the card names and the file does not have.
fn with_advice(error: DataError, names: &BTreeMap<String, String>) -> DataError {
    let DataError::MissingColumn { file, column, present, advice } = error else { return error };
    let advice = match names.iter().find(|(_, old)| **old == column) {
        Some((new, _)) if has(&present, new) => {
            format!("; the file has `{new}` itself: leave `{new} = \"{column}\"` out of the card's `columns`")
        }
        Some((new, _)) => {
            format!("{advice}; the card's `columns` read `{new}` from it: write the file's name for it there")
        }
        None => advice,
    };
    DataError::MissingColumn { file, column, present, advice }
}

/// The same fault at its place in the card, if it is that a file lacks a column which `columns` names.
pub fn at_its_place(error: SourceError, entry: &TaskEntry) -> SourceError {
    let (SourceError::Data(DataError::MissingColumn { column, present, .. }), Origin::File(_)) =
        (&error, &entry.origin)
    else {
        return error;
    };
    let (column, is_there) = (column.clone(), has(present, column));
    let dataset = &entry.card.dataset;
    let parts = dataset.parts.iter();
    let maps = parts.map(|(part, source)| (vec!["dataset", "parts", part, "columns"], &source.columns));
    let mut places =
        maps.chain([(vec!["dataset", "columns"], &dataset.columns)]).flat_map(|(path, names)| {
            let named = names.iter().filter(|(_, old)| **old == column);
            named.map(move |(new, _)| [path.clone(), vec![new.as_str()]].concat())
        });
    match (places.next(), places.next()) {
        (Some(path), None) if !is_there => {
            SourceError::Card(fault_in(&entry.origin, &path, error.to_string()).of_data())
        }
        _ => error,
    }
}

/// True if `name` is among the names of columns that a message lists.
fn has(present: &str, name: &str) -> bool {
    present.split(", ").any(|column| column == name)
}

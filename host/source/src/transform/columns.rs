//! Columns made of others: named as the protocol names them, joined, numbered.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use mteb_card::Join;
use mteb_data::{Column, DataError, Table, Texts};
use mteb_registry::{Origin, TaskEntry, fault_in};

use crate::SourceError;

/// Renames columns by a map of protocol's name = dataset's name, which may be a field of the
/// objects in a column, as `translation.en`.
///
/// # Errors
/// If the table lacks a column that the map names.
pub fn rename_columns(mut table: Table, names: &BTreeMap<String, String>) -> Result<Table, DataError> {
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
        Some((new, _)) if present.contains(new) => {
            format!("; the file has `{new}` itself: leave `{new} = \"{column}\"` out of the card's `columns`")
        }
        Some((new, _)) => {
            format!("{advice}; the card's `columns` read `{new}` from it: write the file's name for it there")
        }
        None => advice,
    };
    DataError::MissingColumn { file, column, present, advice }
}

/// The same fault at its place in the card, if it is that a file lacks a column which `columns`
/// names.
pub fn at_its_place(error: SourceError, entry: &TaskEntry) -> SourceError {
    let (SourceError::Data(DataError::MissingColumn { column, present, .. }), Origin::File(_)) =
        (&error, &entry.origin)
    else {
        return error;
    };
    let (column, is_there) = (column.clone(), present.contains(column));
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

/// The table with a column `name` that holds the texts of several columns.
///
/// # Errors
/// If a column is absent or holds something else than texts.
pub fn join_columns(table: Table, name: &str, join: &Join) -> Result<Table, DataError> {
    let form = join.form();
    let cells = |column: &String| match form.skip_empty {
        true => table.texts_or_empty(column),
        false => table.texts(column),
    };
    let sources: Vec<Cow<Texts>> = form.columns.iter().map(cells).collect::<Result<_, _>>()?;
    let (mut joined, mut text) = (Texts::new(), String::new());
    for row in 0..table.rows() {
        text.clear();
        let pieces =
            sources.iter().map(|source| &source[row]).filter(|piece| !(form.skip_empty && piece.is_empty()));
        for (place, piece) in pieces.enumerate() {
            if place > 0 {
                text.push_str(&form.separator);
            }
            text.push_str(piece);
        }
        joined.push(if form.strip { text.trim() } else { &text });
    }
    Ok(table.with_column(name, Column::Text(joined)))
}

/// The table with a column for each entry of `ids`: the place of the first row with the same texts
/// in the named columns, of the row itself without any.
///
/// # Errors
/// If a named column is absent or holds something else than texts.
pub fn number_rows(mut table: Table, ids: &BTreeMap<String, Vec<String>>) -> Result<Table, DataError> {
    for (name, columns) in ids {
        let places = first_places(&table, columns)?;
        let texts: Texts = places.iter().map(usize::to_string).collect();
        table = table.with_column(name, Column::Text(texts));
    }
    Ok(table)
}

fn first_places(table: &Table, columns: &[String]) -> Result<Vec<usize>, DataError> {
    if columns.is_empty() {
        return Ok((0..table.rows()).collect());
    }
    let cells = columns.iter().map(|column| table.texts(column)).collect::<Result<Vec<_>, _>>()?;
    let mut first: HashMap<Vec<&str>, usize> = HashMap::new();
    let place = |row| *first.entry(cells.iter().map(|texts| &texts[row]).collect()).or_insert(row);
    Ok((0..table.rows()).map(place).collect())
}

#[cfg(test)]
mod tests {
    use mteb_data::{Column, Table};

    use super::*;

    #[test]
    fn a_column_with_a_comma_in_its_name_is_one_column() {
        let table = |name: &str| {
            let cells = Column::Text(["a"].into_iter().collect());
            Table::new("f.csv", vec![(name.to_owned(), cells)]).unwrap()
        };
        let names = BTreeMap::from([("text".to_owned(), "kalimat".to_owned())]);
        let advice = |name: &str| rename_columns(table(name), &names).unwrap_err().to_string();
        let itself = "the file has `text` itself";
        assert!(advice("text").contains(itself), "{}", advice("text"));
        let other = advice("title, text");
        assert!(!other.contains(itself), "{other}");
        assert!(other.contains("no column `kalimat`; its columns are title, text"), "{other}");
        assert!(other.contains("`columns` read `text` from it"), "{other}");
    }
}

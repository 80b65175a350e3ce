//! Ids for rows that have none.

use std::collections::{BTreeMap, HashMap};

use mteb_data::{Column, DataError, Table, Texts};

/// The table with a column for each entry of `ids`: the place of the first row with the same texts in the named columns, of
/// the row itself without any.
///
/// # Errors
/// If a named column is absent or holds something else than texts.
pub fn numbered(mut table: Table, ids: &BTreeMap<String, Vec<String>>) -> Result<Table, DataError> {
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

//! Columns made of several.

use mteb_card::Join;
use mteb_data::{Column, DataError, Table, Texts};
use serde_json::Value;

/// The table with a column `name` that holds the texts of several columns.
///
/// # Errors
/// If a column is absent or holds something else than texts.
pub fn joined(table: Table, name: &str, join: &Join) -> Result<Table, DataError> {
    let form = join.form();
    let cells = |column: &String| match form.skip_empty {
        true => texts_or_nothing(&table, column),
        false => table.texts(column).map(|texts| texts.iter().map(str::to_owned).collect()),
    };
    let sources: Vec<Vec<String>> = form.columns.iter().map(cells).collect::<Result<_, _>>()?;
    let mut joined = Texts::new();
    for row in 0..table.rows() {
        let pieces = sources.iter().map(|source| source[row].as_str());
        let pieces: Vec<&str> = pieces.filter(|piece| !(form.skip_empty && piece.is_empty())).collect();
        let text = pieces.join(&form.separator);
        joined.push(if form.strip { text.trim() } else { &text });
    }
    Ok(table.with_column(name, Column::Text(joined)))
}

/// The texts of a column, nulls as empty ones.
fn texts_or_nothing(table: &Table, name: &str) -> Result<Vec<String>, DataError> {
    let column = table.named_column(name)?;
    let text = |row| match column.value(row) {
        Value::Null => Ok(String::new()),
        Value::String(text) => Ok(text),
        other => Err(table.fault(name, row, "a string or null", &other)),
    };
    (0..table.rows()).map(text).collect()
}

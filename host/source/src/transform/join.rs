//! Columns made of several.

use std::borrow::Cow;

use mteb_card::Join;
use mteb_data::{Column, DataError, Table, Texts};

/// The table with a column `name` that holds the texts of several columns.
///
/// # Errors
/// If a column is absent or holds something else than texts.
pub fn joined(table: Table, name: &str, join: &Join) -> Result<Table, DataError> {
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

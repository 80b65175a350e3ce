//! Columns made of several.

use mteb_data::{Column, DataError, Table, Texts};

/// The table with a column `name` that holds the texts of `columns` with a space between them.
///
/// # Errors
/// If a column is absent or holds something else than texts.
pub fn joined(table: Table, name: &str, columns: &[String]) -> Result<Table, DataError> {
    let sources = columns.iter().map(|column| table.texts(column)).collect::<Result<Vec<_>, _>>()?;
    let mut joined = Texts::new();
    let mut text = String::new();
    for row in 0..table.rows() {
        text.clear();
        for (index, source) in sources.iter().enumerate() {
            text.push_str(if index > 0 { " " } else { "" });
            text.push_str(&source[row]);
        }
        joined.push(&text);
    }
    drop(sources);
    Ok(table.with_column(name, Column::Text(joined)))
}

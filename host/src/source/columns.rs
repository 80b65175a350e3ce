//! Gives the columns of a table the names of the protocol.

use mteb_data::{DataError, Table};

/// Renames columns by a map of protocol's name = dataset's name.
///
/// # Errors
/// If the table has neither of the two.
pub fn renamed<'a>(
    table: Table,
    names: impl IntoIterator<Item = (&'a String, &'a String)>,
) -> Result<Table, DataError> {
    let needed: Vec<(&str, &str)> = names
        .into_iter()
        .map(|(new, old)| (new.as_str(), old.as_str()))
        .filter(|(new, old)| table.get(old).is_some() || table.get(new).is_none())
        .collect();
    table.rename(needed)
}

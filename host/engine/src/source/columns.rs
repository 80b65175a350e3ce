//! Gives the columns of a table the names of the protocol.

use mteb_data::{DataError, Table};

/// Renames columns by a map of protocol's name = dataset's name.
///
/// # Errors
/// If the table lacks a column that the map names.
pub fn renamed<'a>(
    table: Table,
    names: impl IntoIterator<Item = (&'a String, &'a String)>,
) -> Result<Table, DataError> {
    table.rename(names.into_iter().map(|(new, old)| (new.as_str(), old.as_str())))
}

//! Gives the columns of a table the names of the protocol.

use std::collections::BTreeMap;

use mteb_data::{DataError, Table};

/// Renames columns by a map of protocol's name = dataset's name, which may be a field of the objects in a column, as
/// `translation.en`.
///
/// # Errors
/// If the table lacks a column that the map names.
pub fn renamed(mut table: Table, names: &BTreeMap<String, String>) -> Result<Table, DataError> {
    for field in names.values() {
        table = table.with_field(field)?;
    }
    table.rename(names.iter().map(|(new, old)| (new.as_str(), old.as_str())))
}

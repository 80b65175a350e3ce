//! Labels that CSV and TSV cannot hold: they have no word for null, and an empty text or a list as text would be a label like any other.

use mteb_data::DataError;

use crate::{Part, Unit};

/// Refuses rows of the user's own without a label in `column`, and lists in place of labels in a format that holds none; data of the hub is scored as the reference scores it.
///
/// # Errors
/// If there are any.
pub(super) fn check_given(unit: &Unit, column: &str) -> Result<(), DataError> {
    let parts = [Part::Train, Part::Rows].into_iter().filter(|_| unit.is_own);
    for table in parts.filter_map(|part| unit.get(part)) {
        table.without_empty_cells(column, "a label", "write the label, or remove the row")?;
        table.without_written_lists(column, "a label")?;
    }
    Ok(())
}

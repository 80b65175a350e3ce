//! Labels that are not there: CSV and TSV have no word for null, and an empty text would be a label like any other.

use mteb_data::DataError;

use crate::{Part, Unit};

/// Refuses rows of the user's own without a label in `column`; data of the hub is scored as the reference scores it.
///
/// # Errors
/// If there are any.
pub(super) fn check_given(unit: &Unit, column: &str) -> Result<(), DataError> {
    let parts = [Part::Train, Part::Rows].into_iter().filter(|_| unit.is_own);
    for table in parts.filter_map(|part| unit.get(part)) {
        table.without_empty_cells(column, "a label", "write the label, or remove the row")?;
    }
    Ok(())
}

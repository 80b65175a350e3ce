//! Files that are there as a whole or not at all.

use std::path::Path;

use crate::GradedError;

/// Writes `bytes` to `path`, as [`mteb_files::write`], but replaces no link.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), GradedError> {
    let written = mteb_files::check_place(path).and_then(|()| mteb_files::write(path, bytes));
    written.map_err(|error| GradedError::file(path, "write", error))
}

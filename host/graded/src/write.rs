//! Files that are there as a whole or not at all.

use std::path::Path;

use crate::GradedError;

/// Writes `bytes` to `path`, as [`mteb_files::write`].
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), GradedError> {
    mteb_files::write(path, bytes).map_err(|error| GradedError::file(path, "write", error))
}

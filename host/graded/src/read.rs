//! Files as they come from users.

use std::path::Path;

use crate::GradedError;

/// The text of the file at `path`, which may have `limit` bytes.
///
/// # Errors
/// If it cannot be read, is larger, or is no UTF-8.
pub fn read_text(path: &Path, limit: u64) -> Result<String, GradedError> {
    mteb_files::read_to_string(path, limit).map_err(|error| GradedError::file(path, "read", error))
}

/// SHA-256 of the file at `path`, as hexadecimal digits.
///
/// # Errors
/// If it cannot be read.
pub fn sha256_of_file(path: &Path) -> Result<String, GradedError> {
    let hashed = mteb_files::open(path).and_then(mteb_files::sha256);
    hashed.map_err(|error| GradedError::file(path, "read", error))
}

//! Files that the user has asked for.

use std::path::Path;

/// Writes `bytes` to `path`. Only a regular file is replaced: no link, pipe or device.
///
/// # Errors
/// What could not be written, and why.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), String> {
    mteb_files::check_place(path)
        .map_err(|error| format!("expected to write {}: {error}; move it away", path.display()))?;
    mteb_files::write(path, bytes).map_err(|error| format!("expected to write {}: {error}", path.display()))
}

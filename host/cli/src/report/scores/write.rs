//! Writes a file whole, or not at all, and the folder that it lies in.

use std::path::Path;

/// Writes `text` to `path`.
///
/// # Errors
/// What could not be written, and why.
pub fn write_file(path: &Path, text: &str) -> Result<(), String> {
    mteb_files::write(path, text.as_bytes())
        .map_err(|error| format!("expected to write {}: {error}", path.display()))
}

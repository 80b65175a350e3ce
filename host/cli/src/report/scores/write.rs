//! Writes a file whole, or not at all, and the folder that it lies in.

use std::fs;
use std::path::Path;

/// Writes `text` to `path`.
///
/// # Errors
/// What could not be written, and why.
pub fn write_file(path: &Path, text: &str) -> Result<(), String> {
    let fault = |error: std::io::Error| format!("expected to write {}: {error}", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(fault)?;
    }
    let temporary = path.with_extension(format!("{}.part", std::process::id()));
    fs::write(&temporary, text).map_err(fault)?;
    fs::rename(&temporary, path).map_err(fault)
}

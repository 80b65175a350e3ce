//! JSON files of a model folder.

use std::fs;
use std::path::Path;

use serde::de::DeserializeOwned;

use crate::error::TorchError;

/// Reads a JSON file that must be there.
///
/// # Errors
/// If it is absent, cannot be read, or holds something else.
pub fn required<T: DeserializeOwned>(path: &Path) -> Result<T, TorchError> {
    optional(path)?.ok_or_else(|| TorchError::Missing { path: path.to_owned(), expected: "a JSON file" })
}

/// Reads a JSON file that may be absent.
///
/// # Errors
/// If it cannot be read, or holds something else.
pub fn optional<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, TorchError> {
    let malformed = |message: String| TorchError::Malformed { path: path.to_owned(), message };
    match fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(malformed(format!("cannot read the file: {error}"))),
        Ok(text) => match serde_json::from_str(&text) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(malformed(format!("expected JSON, found: {error}"))),
        },
    }
}

//! The weights as a part of a model's identity.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::weight_files::weight_files;
use crate::error::TorchError;

/// SHA-256 over the weight files of all `folders`, in hexadecimal digits. Folders without weights count for nothing.
///
/// # Errors
/// If a file cannot be read.
pub fn weights_hash<'a>(folders: impl IntoIterator<Item = &'a Path>) -> Result<String, TorchError> {
    let mut hasher = Hasher(Sha256::new());
    for folder in folders {
        for path in weight_files(folder).unwrap_or_default() {
            File::open(&path).and_then(|mut file| io::copy(&mut file, &mut hasher)).map_err(|error| {
                TorchError::Malformed { path, message: format!("cannot read the file: {error}") }
            })?;
        }
    }
    Ok(hasher.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

struct Hasher(Sha256);

impl Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

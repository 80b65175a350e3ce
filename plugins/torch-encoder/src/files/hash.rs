//! The weights as a part of a model's identity.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use sha2::{Digest, Sha256};

use super::weight_files::weight_files;
use crate::error::TorchError;

/// Bytes that are read at a time.
const PIECE: usize = 1 << 20;

/// SHA-256 over the weight files of all `folders`, in hexadecimal digits. Folders without weights count for nothing. Ends early, with
/// an error, once it is not `wanted` any more.
///
/// # Errors
/// If a file cannot be read.
pub fn weights_hash<'a>(
    folders: impl IntoIterator<Item = &'a Path>,
    wanted: &AtomicBool,
) -> Result<String, TorchError> {
    let mut hasher = Hasher { sum: Sha256::new(), wanted };
    for folder in folders {
        for path in weight_files(folder).unwrap_or_default() {
            let file = File::open(&path).map(|file| BufReader::with_capacity(PIECE, file));
            file.and_then(|mut file| io::copy(&mut file, &mut hasher)).map_err(|error| {
                TorchError::Malformed { path, message: format!("cannot read the file: {error}") }
            })?;
        }
    }
    Ok(hasher.sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

struct Hasher<'a> {
    sum: Sha256,
    wanted: &'a AtomicBool,
}

impl Write for Hasher<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.wanted.load(Ordering::Relaxed) {
            return Err(io::Error::other("it is not wanted any more"));
        }
        self.sum.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

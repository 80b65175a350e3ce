//! Files that `torch.save` wrote, read without running the code that a pickle may hold.

mod archive;
mod legacy;
mod machine;
mod storage;
mod value;

use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

use tch::Tensor;

pub use value::{PickleError, Value};

/// All tensors of the file, by name.
///
/// # Errors
/// If the file is damaged, cut, or holds something else than tensors by name.
pub fn read(path: &Path) -> Result<Vec<(String, Tensor)>, PickleError> {
    let file = File::open(path)?;
    // LASER's files, whose tensors lie below a key.
    let nested = path.extension().is_some_and(|extension| extension == "pt");
    if is_archive(&file)? { archive::read(file, nested) } else { legacy::read(file, nested) }
}

/// The dictionary under `key` in the file.
///
/// # Errors
/// If the file is damaged or has no such dictionary.
pub fn entries(path: &Path, key: &str) -> Result<Vec<(Value, Value)>, PickleError> {
    let file = File::open(path)?;
    let whole = if is_archive(&file)? { archive::value(file)? } else { legacy::value(file)? };
    let Value::Dict(entries) = whole else { return Err(PickleError::Content("no dictionary".to_owned())) };
    let found = entries.into_iter().find_map(|(name, value)| match (name, value) {
        (Value::Text(name), Value::Dict(entries)) if name == key => Some(entries),
        _ => None,
    });
    found.ok_or_else(|| PickleError::Content(format!("no dictionary under `{key}`")))
}

fn is_archive(mut file: &File) -> Result<bool, PickleError> {
    let mut start = [0; 4];
    let is_archive = file.read_exact(&mut start).is_ok() && start == *b"PK\x03\x04";
    file.rewind()?;
    Ok(is_archive)
}

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

pub use value::Value;

/// Why such a file cannot be read, in one line.
#[derive(Debug, thiserror::Error)]
pub enum PickleError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] std::io::Error),
    /// The archive is damaged or cut.
    #[error("the archive is damaged: {0}")]
    Archive(#[from] zip::result::ZipError),
    /// The pickle holds something else than tensors by name.
    #[error("{0}")]
    Content(String),
    /// A tensor does not fit the bytes that belong to it.
    #[error("tensor `{name}`: expected {expected} bytes, found {found}")]
    Short {
        /// Name of the tensor, or of its storage.
        name: String,
        /// Bytes it needs.
        expected: usize,
        /// Bytes there are.
        found: usize,
    },
    /// libtorch failed.
    #[error("libtorch: {0}")]
    Torch(#[from] tch::TchError),
}

/// All tensors of the file, by name.
///
/// # Errors
/// If the file is damaged, cut, or holds something else than tensors by name.
pub fn read(path: &Path) -> Result<Vec<(String, Tensor)>, PickleError> {
    let file = File::open(path)?;
    if is_archive(&file)? { archive::read(file) } else { legacy::read(file) }
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

/// The tensors of an unpickled value: a dictionary, or one under `state_dict` or `model`.
fn named(value: Value) -> Result<Vec<(String, value::TensorValue)>, PickleError> {
    let Value::Dict(mut entries) = value else {
        return Err(PickleError::Content("expected tensors by name, found something else".to_owned()));
    };
    let inner = |key: &Value| matches!(key, Value::Text(name) if name == "state_dict" || name == "model");
    if let Some(place) = entries.iter().position(|(key, value)| inner(key) && matches!(value, Value::Dict(_)))
    {
        return named(entries.swap_remove(place).1);
    }
    let tensors = entries.into_iter().filter_map(|(key, value)| match (key, value) {
        (Value::Text(name), Value::Tensor(tensor)) => Some((name, tensor)),
        _ => None,
    });
    Ok(tensors.collect())
}

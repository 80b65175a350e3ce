//! The form before PyTorch 1.6: a magic number, some facts, the pickle, then the storages one after the other.

use std::collections::HashMap;
use std::io::{BufReader, Read};

use tch::Tensor;

use super::machine::unpickle;
use super::storage::{Storages, named};
use super::value::{PickleError, Value};

/// Reads all tensors.
///
/// # Errors
/// If the file is no such file, is cut, or holds something else than tensors by name.
pub fn read(file: impl Read, nested: bool) -> Result<Vec<(String, Tensor)>, PickleError> {
    let mut input = BufReader::new(file);
    let values = named(content(&mut input)?, nested)?;
    let keys = unpickle(&mut input)?;
    let widths: HashMap<&str, usize> = values
        .iter()
        .map(|(_, value)| (value.storage.key.as_str(), value.storage.kind.elt_size_in_bytes()))
        .collect();
    let mut bytes = HashMap::new();
    for key in keys.list() {
        let Value::Text(key) = key else { continue };
        let width = widths
            .get(key.as_str())
            .copied()
            .ok_or_else(|| PickleError::Content(format!("the storage {key} belongs to no tensor")))?;
        bytes.insert(key.clone(), storage(&mut input, key, width)?);
    }
    let mut storages = Storages::default();
    let mut tensors = Vec::with_capacity(values.len());
    for (name, value) in values {
        let tensor = storages.tensor(&value, |key| {
            bytes.remove(key).ok_or_else(|| PickleError::Content(format!("the storage {key} is missing")))
        })?;
        tensors.push((name, tensor));
    }
    Ok(tensors)
}

/// Reads what the file holds, tensors without their numbers.
///
/// # Errors
/// If the file is no such file or is cut.
pub fn value(file: impl Read) -> Result<Value, PickleError> {
    content(&mut BufReader::new(file))
}

/// Reads up to the end of the pickle that holds what was saved.
fn content(input: &mut impl Read) -> Result<Value, PickleError> {
    // The magic number has 80 bits, which is why it shows as no number here; the version behind it is checked.
    unpickle(input).map_err(|_| PickleError::Content("the file was not written by torch.save".to_owned()))?;
    if unpickle(input)?.whole() != Some(1001) {
        return Err(PickleError::Content("the file was not written by torch.save".to_owned()));
    }
    unpickle(input)?;
    unpickle(input)
}

fn storage(input: &mut impl Read, key: &str, width: usize) -> Result<Vec<u8>, PickleError> {
    let mut count = [0; 8];
    input.read_exact(&mut count)?;
    let expected = usize::try_from(u64::from_le_bytes(count)).unwrap_or(usize::MAX).saturating_mul(width);
    let mut bytes = Vec::new();
    let found = input.take(expected as u64).read_to_end(&mut bytes)?;
    if found == expected {
        Ok(bytes)
    } else {
        Err(PickleError::Short { name: key.to_owned(), expected, found })
    }
}

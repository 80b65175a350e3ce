//! Files that `torch.save` wrote, read without running the code that a pickle may hold. Since PyTorch 1.6 they
//! are archives with one pickle and a file for each storage; before it, a magic number, some facts, the
//! pickle, then the storages one after the other.

mod machine;
mod storage;
mod value;

pub use value::{PickleError, Value};

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;

use tch::Tensor;
use zip::ZipArchive;

use machine::unpickle;
use storage::{Storages, name_tensors};

/// All tensors of the file, by name.
///
/// # Errors
/// If the file is damaged, cut, or holds something else than tensors by name.
pub fn read(path: &Path) -> Result<Vec<(String, Tensor)>, PickleError> {
    let file = File::open(path)?;
    // LASER's files, whose tensors lie below a key.
    let nested = path.extension().is_some_and(|extension| extension == "pt");
    if is_archive(&file)? { read_archive(file, nested) } else { read_legacy(file, nested) }
}

/// The dictionary under `key` in the file.
///
/// # Errors
/// If the file is damaged or has no such dictionary.
pub fn entries(path: &Path, key: &str) -> Result<Vec<(Value, Value)>, PickleError> {
    let file = File::open(path)?;
    let whole = if is_archive(&file)? { archive_value(file)? } else { legacy_value(file)? };
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

/// Reads all tensors.
///
/// # Errors
/// If the archive is damaged or holds something else than tensors by name.
fn read_archive(file: File, nested: bool) -> Result<Vec<(String, Tensor)>, PickleError> {
    let mut archive = ZipArchive::new(BufReader::new(file))?;
    if archive.file_names().any(|name| name.ends_with("/constants.pkl")) {
        let found = "TorchScript, a program with its weights, which is not run; save the model that it was made of \
                     (`model.save_pretrained(FOLDER)`)";
        return Err(PickleError::Form(found.to_owned()));
    }
    let (folder, value) = read_pickle(&mut archive)?;
    let values = name_tensors(value, nested)?;
    let mut storages = Storages::default();
    let mut tensors = Vec::with_capacity(values.len());
    for (name, value) in values {
        let tensor = storages.tensor(&value, |key| {
            let mut entry = archive.by_name(&format!("{folder}data/{key}"))?;
            let mut bytes = Vec::with_capacity(usize::try_from(entry.size()).unwrap_or(0));
            entry.read_to_end(&mut bytes)?;
            Ok(bytes)
        })?;
        tensors.push((name, tensor));
    }
    Ok(tensors)
}

/// Reads what the file holds, tensors without their numbers.
///
/// # Errors
/// If the archive is damaged.
fn archive_value(file: File) -> Result<Value, PickleError> {
    Ok(read_pickle(&mut ZipArchive::new(BufReader::new(file))?)?.1)
}

/// The folder of the pickle in the archive, and what it holds.
fn read_pickle(archive: &mut ZipArchive<BufReader<File>>) -> Result<(String, Value), PickleError> {
    let pickle = archive.file_names().find(|name| name.ends_with("data.pkl")).map(str::to_owned);
    let pickle = pickle.ok_or_else(|| PickleError::Content("the archive has no data.pkl".to_owned()))?;
    let folder = pickle.strip_suffix("data.pkl").unwrap_or_default().to_owned();
    let mut bytes = Vec::new();
    archive.by_name(&pickle)?.read_to_end(&mut bytes)?;
    Ok((folder, unpickle(&mut bytes.as_slice())?))
}

/// Reads all tensors.
///
/// # Errors
/// If the file is no such file, is cut, or holds something else than tensors by name.
fn read_legacy(file: impl Read, nested: bool) -> Result<Vec<(String, Tensor)>, PickleError> {
    let mut input = BufReader::new(file);
    let values = name_tensors(read_content(&mut input)?, nested)?;
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
        bytes.insert(key.clone(), read_storage(&mut input, key, width)?);
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
fn legacy_value(file: impl Read) -> Result<Value, PickleError> {
    read_content(&mut BufReader::new(file))
}

/// Reads up to the end of the pickle that holds what was saved.
fn read_content(input: &mut impl Read) -> Result<Value, PickleError> {
    // The magic number has 80 bits, which is why it shows as no number here; the version behind it is checked.
    unpickle(input).map_err(|_| PickleError::Content("the file was not written by torch.save".to_owned()))?;
    if unpickle(input)?.whole() != Some(1001) {
        return Err(PickleError::Content("the file was not written by torch.save".to_owned()));
    }
    unpickle(input)?;
    unpickle(input)
}

fn read_storage(input: &mut impl Read, key: &str, width: usize) -> Result<Vec<u8>, PickleError> {
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

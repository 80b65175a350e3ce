//! The form since PyTorch 1.6: an archive with one pickle and a file for each storage.

use std::fs::File;
use std::io::{BufReader, Read};

use tch::Tensor;
use zip::ZipArchive;

use super::machine::unpickle;
use super::storage::{Storages, named};
use super::value::{PickleError, Value};

/// Reads all tensors.
///
/// # Errors
/// If the archive is damaged or holds something else than tensors by name.
pub fn read(file: File, nested: bool) -> Result<Vec<(String, Tensor)>, PickleError> {
    let mut archive = ZipArchive::new(BufReader::new(file))?;
    if archive.file_names().any(|name| name.ends_with("/constants.pkl")) {
        let found = "TorchScript, a program with its weights, which is not run; save the model that it was made of \
                     (`model.save_pretrained(FOLDER)`)";
        return Err(PickleError::Form(found.to_owned()));
    }
    let (folder, value) = pickle(&mut archive)?;
    let values = named(value, nested)?;
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
pub fn value(file: File) -> Result<Value, PickleError> {
    Ok(pickle(&mut ZipArchive::new(BufReader::new(file))?)?.1)
}

/// The folder of the pickle in the archive, and what it holds.
fn pickle(archive: &mut ZipArchive<BufReader<File>>) -> Result<(String, Value), PickleError> {
    let pickle = archive.file_names().find(|name| name.ends_with("data.pkl")).map(str::to_owned);
    let pickle = pickle.ok_or_else(|| PickleError::Content("the archive has no data.pkl".to_owned()))?;
    let folder = pickle.strip_suffix("data.pkl").unwrap_or_default().to_owned();
    let mut bytes = Vec::new();
    archive.by_name(&pickle)?.read_to_end(&mut bytes)?;
    Ok((folder, unpickle(&mut bytes.as_slice())?))
}

//! The tensors of a model folder, by name.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tch::{Device, Kind, Tensor};

use crate::error::TorchError;

/// Tensors by name; each is taken once.
pub struct Weights {
    tensors: RefCell<HashMap<String, Tensor>>,
    /// Prefix that all names of this file carry, such as `bert.`.
    prefix: String,
    device: Device,
    kind: Kind,
}

impl Weights {
    /// Reads all weight files of a folder.
    ///
    /// # Errors
    /// If there is none, or one is damaged.
    pub fn read(folder: &Path, device: Device, kind: Kind) -> Result<Self, TorchError> {
        let mut tensors = HashMap::new();
        for file in weight_files(folder)? {
            let read = Tensor::read_safetensors(&file).map_err(|error| TorchError::Malformed {
                path: file.clone(),
                message: format!("expected weights, found the file damaged or cut: {}", first_line(&error)),
            })?;
            tensors.extend(read);
        }
        let prefix = prefix_of(&tensors);
        Ok(Self { tensors: RefCell::new(tensors), prefix, device, kind })
    }

    /// The tensor called `name`, which must have the shape `shape`.
    ///
    /// # Errors
    /// If it is absent or of another shape.
    pub fn take(&self, name: &str, shape: &[i64]) -> Result<Tensor, TorchError> {
        let wrong = |found: String| TorchError::Weight {
            name: name.to_owned(),
            expected: format!("a tensor of shape {shape:?}"),
            found,
        };
        let full = format!("{}{name}", self.prefix);
        let tensor = self.tensors.borrow_mut().remove(&full).ok_or_else(|| wrong("none".to_owned()))?;
        if tensor.size() != shape {
            return Err(wrong(format!("shape {:?}", tensor.size())));
        }
        Ok(tensor.f_to_device(self.device)?.f_to_kind(self.kind)?)
    }

    /// True if there is a tensor called `name`.
    pub fn has(&self, name: &str) -> bool {
        self.tensors.borrow().contains_key(&format!("{}{name}", self.prefix))
    }
}

/// The weight files of a folder: one file, or the shards in the order of their names.
///
/// # Errors
/// If there is none.
pub fn weight_files(folder: &Path) -> Result<Vec<PathBuf>, TorchError> {
    let single = folder.join("model.safetensors");
    if single.is_file() {
        return Ok(vec![single]);
    }
    let entries = fs::read_dir(folder).map_err(|error| TorchError::Malformed {
        path: folder.to_owned(),
        message: format!("cannot read the folder: {error}"),
    })?;
    let mut shards: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "safetensors"))
        .collect();
    shards.sort();
    if shards.is_empty() {
        return Err(TorchError::Missing { path: folder.to_owned(), expected: "weights (*.safetensors)" });
    }
    Ok(shards)
}

/// SHA-256 over all weight files, which makes the weights a part of the model's identity.
///
/// # Errors
/// If a file cannot be read.
pub fn weights_hash(folder: &Path) -> Result<String, TorchError> {
    let mut hasher = Sha256::new();
    for file in weight_files(folder)? {
        let bytes = fs::read(&file).map_err(|error| TorchError::Malformed {
            path: file.clone(),
            message: format!("cannot read the file: {error}"),
        })?;
        hasher.update(&bytes);
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Checkpoints of a model with a head put the transformer below its name.
fn prefix_of(tensors: &HashMap<String, Tensor>) -> String {
    let prefixes = ["bert.", "roberta.", "distilbert.", "mpnet.", "model."];
    let has =
        |prefix: &str| tensors.keys().any(|name| name.starts_with(prefix) && name.contains("embeddings"));
    prefixes.into_iter().find(|prefix| has(prefix)).unwrap_or_default().to_owned()
}

fn first_line(error: &tch::TchError) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

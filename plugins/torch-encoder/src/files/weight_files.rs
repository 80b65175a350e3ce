//! Which files of a folder hold the weights.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::json::optional;
use crate::error::TorchError;

/// What transformers looks for, in its order: one file, or an index with the names of several.
const NAMES: [&str; 2] = ["model.safetensors", "pytorch_model.bin"];

/// The weight files of a folder, in the order of their names.
///
/// # Errors
/// If there is none, or one that an index names is absent.
pub fn weight_files(folder: &Path) -> Result<Vec<PathBuf>, TorchError> {
    for name in NAMES {
        let single = folder.join(name);
        if single.is_file() {
            return Ok(vec![single]);
        }
        let shards = shards(folder, &format!("{name}.index.json"))?;
        if !shards.is_empty() {
            return Ok(shards);
        }
    }
    // LASER's file; transformers takes no other name.
    if !folder.join("config.json").exists()
        && let Some(file) = lone_file(folder, "pt")
    {
        return Ok(vec![file]);
    }
    Err(TorchError::Missing {
        path: folder.to_owned(),
        expected: "weights (model.safetensors, pytorch_model.bin, or one of them in parts with its index)",
    })
}

/// The only file of a folder whose name ends so.
pub fn lone_file(folder: &Path, extension: &str) -> Option<PathBuf> {
    let files = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let mut files = files.filter(|path| path.extension().is_some_and(|found| found == extension));
    let file = files.next()?;
    files.next().is_none().then_some(file)
}

fn shards(folder: &Path, index: &str) -> Result<Vec<PathBuf>, TorchError> {
    let values: Map<String, Value> = optional(&folder.join(index))?.unwrap_or_default();
    let map = values.get("weight_map").and_then(Value::as_object).into_iter().flatten();
    let names: BTreeSet<&str> = map.filter_map(|(_, file)| file.as_str()).collect();
    if let Some(name) = names.iter().find(|name| name.contains(['/', '\\', '\0']) || **name == "..") {
        return Err(TorchError::Malformed {
            path: folder.join(index),
            message: format!("expected names of files beside the index, found: {name}"),
        });
    }
    let files: Vec<PathBuf> = names.into_iter().map(|name| folder.join(name)).collect();
    match files.iter().find(|file| !file.is_file()) {
        Some(absent) => Err(TorchError::Missing { path: absent.clone(), expected: "a part of the weights" }),
        None => Ok(files),
    }
}

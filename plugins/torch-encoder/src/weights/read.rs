//! Tensors from one weight file.

use std::collections::HashMap;
use std::path::Path;

use tch::Tensor;

use super::mapped::{self, MappedFile, Span};
use super::torch_save::{self, PickleError};
use crate::error::TorchError;

/// A tensor as its file has it.
pub struct Stored {
    /// The tensor.
    pub tensor: Tensor,
    /// Where it lies in a mapped file, as long as it is not in memory of its own.
    pub span: Option<Span>,
}

/// What a weight file holds.
pub struct WeightFile {
    /// Its tensors by name.
    pub tensors: Vec<(String, Stored)>,
    /// What must be kept as long as they are used.
    pub mapped: Option<MappedFile>,
}

/// All tensors of a safetensors file or of a file that `torch.save` wrote.
///
/// # Errors
/// If the file is damaged or cut.
pub fn tensors(file: &Path) -> Result<WeightFile, TorchError> {
    let safe = file.extension().is_some_and(|extension| extension == "safetensors");
    let mut read = if safe { of_safetensors(file) } else { of_torch_save(file) }?;
    rename(file, &mut read.tensors)?;
    Ok(read)
}

/// Gives every tensor the name of the layer that it fills.
///
/// # Errors
/// If two tensors fill one layer: which of them counts depends on the order in which a loader sees them.
fn rename(file: &Path, tensors: &mut [(String, Stored)]) -> Result<(), TorchError> {
    let old = tensors.iter().filter_map(|(name, _)| Some((name.clone(), modern(name)?)));
    let old: HashMap<String, String> = old.collect();
    if let Some((name, other)) =
        old.iter().filter(|(_, new)| tensors.iter().any(|(name, _)| name == *new)).min()
    {
        return Err(TorchError::Malformed {
            path: file.to_owned(),
            message: format!(
                "expected one tensor for each layer, found `{name}` and `{other}` for the same one; remove the one that the model was not \
                 trained with"
            ),
        });
    }
    for (name, _) in tensors {
        if let Some(new) = old.get(name) {
            name.clone_from(new);
        }
    }
    Ok(())
}

fn of_safetensors(file: &Path) -> Result<WeightFile, TorchError> {
    let (mapped, tensors) = MappedFile::read(file).map_err(|error| match error.split_once(": ") {
        Some((name, what)) if what.starts_with(mapped::QUANTISED) => TorchError::Malformed {
            path: file.to_owned(),
            message: format!(
                "the tensor `{name}` has {what}: a quantised checkpoint, which is not supported; name the one it was made from"
            ),
        },
        _ => damaged_error(file, &error),
    })?;
    let stored = |(name, tensor, span)| (name, Stored { tensor, span: Some(span) });
    Ok(WeightFile { tensors: tensors.into_iter().map(stored).collect(), mapped: Some(mapped) })
}

fn of_torch_save(file: &Path) -> Result<WeightFile, TorchError> {
    let tensors = torch_save::read(file).map_err(|error| match error {
        PickleError::Form(found) => TorchError::Unsupported {
            path: file.to_owned(),
            message: format!("expected weights by name, found {found}"),
        },
        error => damaged_error(file, &error.to_string()),
    })?;
    let stored = |(name, tensor)| (name, Stored { tensor, span: None });
    Ok(WeightFile { tensors: tensors.into_iter().map(stored).collect(), mapped: None })
}

fn damaged_error(file: &Path, error: &str) -> TorchError {
    let line = error.lines().next().unwrap_or_default();
    TorchError::Malformed {
        path: file.to_owned(),
        message: format!("expected weights, found a damaged or truncated file; download it again ({line})"),
    }
}

/// The numbers under `dictionary` in a file that `torch.save` wrote.
///
/// # Errors
/// If the file is damaged or has no dictionary.
pub fn dictionary(file: &Path) -> Result<HashMap<String, u32>, TorchError> {
    let wrong = |message: String| TorchError::Malformed { path: file.to_owned(), message };
    let entries = torch_save::entries(file, "dictionary");
    let entries = entries.map_err(|error| wrong(format!("expected a dictionary, found: {error}")))?;
    let numbered = entries.into_iter().filter_map(|(key, value)| match (key, value.whole()) {
        (torch_save::Value::Text(token), Some(id)) => Some((token, u32::try_from(id).ok()?)),
        _ => None,
    });
    Ok(numbered.collect())
}

/// The name by which a layer takes a tensor that has another: checkpoints from TensorFlow call the parts of a norm gamma and beta.
fn modern(name: &str) -> Option<String> {
    let parts = [("LayerNorm.gamma", "LayerNorm.weight"), ("LayerNorm.beta", "LayerNorm.bias")];
    parts.into_iter().find_map(|(old, new)| Some(format!("{}{new}", name.strip_suffix(old)?)))
}

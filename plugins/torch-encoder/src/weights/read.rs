//! Tensors from one weight file.

use std::collections::HashMap;
use std::path::Path;

use tch::Tensor;

use super::torch_save;
use crate::error::TorchError;

/// All tensors of a safetensors file or of a file that `torch.save` wrote.
///
/// # Errors
/// If the file is damaged or cut.
pub fn tensors(file: &Path) -> Result<Vec<(String, Tensor)>, TorchError> {
    let safe = file.extension().is_some_and(|extension| extension == "safetensors");
    let read = if safe {
        Tensor::read_safetensors(file).map_err(|error| error.to_string())
    } else {
        torch_save::read(file).map_err(|error| error.to_string())
    };
    let tensors = read.map_err(|error| TorchError::Malformed {
        path: file.to_owned(),
        message: format!(
            "expected weights, found the file damaged or cut; fetch it again ({})",
            error.lines().next().unwrap_or_default()
        ),
    })?;
    Ok(tensors.into_iter().map(|(name, tensor)| (modern(name), tensor)).collect())
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

/// Checkpoints from TensorFlow call the parts of a norm gamma and beta.
fn modern(name: String) -> String {
    let parts = [("LayerNorm.gamma", "LayerNorm.weight"), ("LayerNorm.beta", "LayerNorm.bias")];
    for (old, new) in parts {
        if let Some(start) = name.strip_suffix(old) {
            return format!("{start}{new}");
        }
    }
    name
}

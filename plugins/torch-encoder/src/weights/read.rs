//! Tensors from one weight file.

use std::path::Path;

use tch::Tensor;

use crate::error::TorchError;

/// All tensors of a safetensors file or of a file that `torch.save` wrote.
///
/// # Errors
/// If the file is damaged or cut.
pub fn tensors(file: &Path) -> Result<Vec<(String, Tensor)>, TorchError> {
    let read = if file.extension().is_some_and(|extension| extension == "safetensors") {
        Tensor::read_safetensors(file)
    } else {
        Tensor::loadz_multi(file)
    };
    let tensors = read.map_err(|error| TorchError::Malformed {
        path: file.to_owned(),
        message: format!(
            "expected weights, found the file damaged or cut; fetch it again ({})",
            line(&error)
        ),
    })?;
    Ok(tensors.into_iter().map(|(name, tensor)| (modern(name), tensor)).collect())
}

/// Checkpoints from TensorFlow call the parts of a norm gamma and beta.
fn modern(name: String) -> String {
    match name.strip_suffix("LayerNorm.gamma") {
        Some(start) => format!("{start}LayerNorm.weight"),
        None => match name.strip_suffix("LayerNorm.beta") {
            Some(start) => format!("{start}LayerNorm.bias"),
            None => name,
        },
    }
}

fn line(error: &tch::TchError) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

//! Repositories that bring code of their own.

use crate::error::TorchError;
use crate::folder::{Config, Input, ModelFolder};

/// Refuses a model whose architecture exists only as code in its repository, which is never run. `known` are the
/// architectures that need no such code.
///
/// # Errors
/// If the model needs such code.
pub fn refuse_remote_code(folder: &ModelFolder, known: &[&str]) -> Result<(), TorchError> {
    match &folder.input {
        Input::Transformer(transformer) => refuse(&transformer.config, known),
        _ => Ok(()),
    }
}

fn refuse(config: &Config, known: &[&str]) -> Result<(), TorchError> {
    let model_type = config.text_or("model_type", "");
    if config.get("auto_map").is_none() || known.contains(&model_type) {
        return Ok(());
    }
    Err(config.unsupported(format!(
        "the model `{model_type}` needs code from its repository (`auto_map`), which is not run; \
         expected a model_type among {}",
        known.join(", ")
    )))
}

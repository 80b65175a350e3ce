//! Repositories that bring code of their own.

use super::Config;
use crate::architectures::known;
use crate::error::TorchError;

/// Refuses a model whose architecture exists only as code in its repository, which is never run.
///
/// # Errors
/// If the model needs such code.
pub fn refuse_remote_code(config: &Config) -> Result<(), TorchError> {
    let model_type = config.text_or("model_type", "");
    if config.get("auto_map").is_none() || known().contains(&model_type) {
        return Ok(());
    }
    Err(config.wrong(format!(
        "the model `{model_type}` needs code from its repository (`auto_map`), which is not run; \
         expected a model_type among {}",
        known().join(", ")
    )))
}

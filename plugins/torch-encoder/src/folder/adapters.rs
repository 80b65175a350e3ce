//! Adapters beside the weights of a model, which would change them.

use std::path::Path;

use super::config::Config;
use crate::error::TorchError;

/// Files that peft keeps beside a model.
const FILES: [&str; 3] = ["adapter_config.json", "adapter_model.safetensors", "adapter_model.bin"];

/// Refuses a folder with an adapter: with it the model is another one than its weights alone.
///
/// # Errors
/// If there is an adapter.
pub fn refuse(folder: &Path) -> Result<(), TorchError> {
    match FILES.into_iter().map(|name| folder.join(name)).find(|path| path.exists()) {
        None => Ok(()),
        Some(path) => {
            // What it says only makes the message better.
            let says = Config::read_if_there(&folder.join(FILES[0])).unwrap_or_default();
            let (kind, base) =
                (says.text_or("peft_type", "LORA"), says.text_or("base_model_name_or_path", ""));
            let base = if base.is_empty() { String::new() } else { format!(" for the model {base}") };
            let message = format!(
                "expected a model without an adapter, found one of peft ({kind}){base}, which is not merged here, even if \
                 weights are beside it; save the model that peft's `merge_and_unload` returns and name its folder, or put `st:` before \
                 this one if peft is installed"
            );
            Err(TorchError::Unsupported { path, message })
        }
    }
}

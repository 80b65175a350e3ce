//! Adapters beside the weights of a model, which would change them.

use std::path::Path;

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
        Some(path) => Err(TorchError::Unsupported {
            path,
            message: "expected a model without an adapter, found one of peft (LoRA), which is not merged here; save the model that \
                      peft's `merge_and_unload` gives, and name its folder"
                .to_owned(),
        }),
    }
}

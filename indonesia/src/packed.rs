//! A text as it lies in the library: compressed.

use mteb_plugin_api::v1::{PluginError, code};
use zstd::zstd_safe::{DCtx, get_error_name};

/// A compressed text.
#[derive(Debug)]
pub struct Packed {
    /// Bytes of the text.
    pub length: usize,
    /// The text, compressed by Zstandard.
    pub bytes: &'static [u8],
}

impl Packed {
    /// The text.
    ///
    /// # Errors
    /// If the library is damaged, or the memory is refused.
    pub fn text(&self) -> Result<String, PluginError> {
        let damaged =
            |error: String| PluginError::failed(format!("the pack `indonesia` is damaged: {error}"));
        let mut context = DCtx::try_create().ok_or_else(|| {
            PluginError::new(code::OUT_OF_MEMORY, "the pack `indonesia`: no memory to unpack a text")
        })?;
        let mut bytes = Vec::with_capacity(self.length);
        let unpacked = context.decompress(&mut bytes, self.bytes);
        unpacked.map_err(|error| damaged(get_error_name(error).to_owned()))?;
        String::from_utf8(bytes).map_err(|error| damaged(error.to_string()))
    }
}

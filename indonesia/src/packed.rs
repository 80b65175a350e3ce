//! A text as it lies in the library: compressed.

use mteb_plugin_api::v1::PluginError;

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
    /// If the library is damaged.
    pub fn text(&self) -> Result<String, PluginError> {
        let damaged =
            |error: String| PluginError::failed(format!("the pack `indonesia` is damaged: {error}"));
        let bytes =
            zstd::bulk::decompress(self.bytes, self.length).map_err(|error| damaged(error.to_string()))?;
        String::from_utf8(bytes).map_err(|error| damaged(error.to_string()))
    }
}

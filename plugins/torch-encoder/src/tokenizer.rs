//! Token ids of texts, as the model's own tokenizer gives them.

use std::path::Path;

use rayon::prelude::*;
use tokenizers::{Tokenizer, TruncationParams};

use crate::error::TorchError;
use crate::folder::ModelFolder;

/// A tokenizer that cuts at the model's maximum and never pads.
pub struct TextTokenizer {
    tokenizer: Tokenizer,
    lower_case: bool,
}

impl TextTokenizer {
    /// Reads `tokenizer.json` of the folder.
    ///
    /// # Errors
    /// If the file is absent or no tokenizer.
    pub fn read(folder: &ModelFolder) -> Result<Self, TorchError> {
        let path = folder.transformer.join("tokenizer.json");
        if !path.is_file() {
            return Err(TorchError::Missing { path, expected: "a tokenizer.json" });
        }
        let malformed = |message: String| TorchError::Malformed { path: path.clone(), message };
        let mut tokenizer = Tokenizer::from_file(Path::new(&path))
            .map_err(|error| malformed(format!("expected a tokenizer, found: {error}")))?;
        // The file may fix a length and a padding of its own; the folder's maximum and no padding are right.
        tokenizer.with_padding(None);
        let truncation = folder
            .max_length
            .map(|max_length| TruncationParams { max_length, ..TruncationParams::default() });
        tokenizer.with_truncation(truncation).map_err(|error| malformed(error.to_string()))?;
        Ok(Self { tokenizer, lower_case: folder.lower_case })
    }

    /// The ids of each text, special tokens included.
    ///
    /// # Errors
    /// If a text cannot be tokenised.
    pub fn ids(&self, texts: &[&str], prompt: &str) -> Result<Vec<Vec<u32>>, TorchError> {
        texts.par_iter().map(|text| self.ids_of(text, prompt)).collect()
    }

    fn ids_of(&self, text: &str, prompt: &str) -> Result<Vec<u32>, TorchError> {
        // sentence-transformers strips the text with its prompt before tokenising.
        let joined = format!("{prompt}{text}");
        let joined = joined.trim();
        let encoding = if self.lower_case {
            self.tokenizer.encode_fast(joined.to_lowercase(), true)
        } else {
            self.tokenizer.encode_fast(joined, true)
        };
        let encoding = encoding.map_err(|error| TorchError::Tokenizer(error.to_string()))?;
        Ok(encoding.get_ids().to_vec())
    }
}

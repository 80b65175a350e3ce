//! What a text became: the ids of its tokens.

use crate::error::TorchError;

/// What one text, or one pair of texts, became.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Ids of its tokens, special ones included.
    pub ids: Vec<u32>,
    /// Whether a token belongs to the first or the second text; `None` where all belong to the first.
    pub types: Option<Vec<u32>>,
}

/// Fails if a text holds a token that a model with vectors for `rows` tokens does not have.
///
/// # Errors
/// If there is such a token.
pub fn check_ids(texts: &[Tokens], rows: i64) -> Result<(), TorchError> {
    let last = texts.iter().flat_map(|text| &text.ids).max().copied().unwrap_or(0);
    if i64::from(last) < rows {
        return Ok(());
    }
    Err(TorchError::Tokenizer(format!(
        "expected token ids below {rows}, found {last}, a token that the model does not have; \
         the tokenizer belongs to another model"
    )))
}

//! Tokens around a text that say what it is for, as SGPT has them (Muennighoff 2022; https://github.com/Muennighoff/sgpt,
//! "Asymmetric Semantic Search BE"): put around the ids of the text, so that they never merge with its letters, and
//! beyond its maximum length. Texts without a role are taken for queries, as there.

use mteb_plugin_api::Brackets;
use mteb_plugin_api::v1::Role;

use crate::error::TorchError;
use crate::tokenizer::{TextTokenizer, Tokens};

/// The ids of the brackets.
pub struct BracketIds {
    query: [u32; 2],
    document: [u32; 2],
}

impl BracketIds {
    /// Tokens that brackets add to a text.
    pub const COUNT: usize = 2;

    /// Looks the brackets up.
    ///
    /// # Errors
    /// If one is not exactly one token.
    pub fn read(brackets: &Brackets, tokenizer: &TextTokenizer) -> Result<Self, TorchError> {
        let pair = |[before, behind]: &[String; 2]| -> Result<[u32; 2], TorchError> {
            Ok([id(before, tokenizer)?, id(behind, tokenizer)?])
        };
        Ok(Self { query: pair(&brackets.query)?, document: pair(&brackets.document)? })
    }

    /// Puts the brackets of `role` around each text.
    pub fn put(&self, texts: &mut [Tokens], role: Role) {
        let [before, behind] = if role == Role::Document { self.document } else { self.query };
        for text in texts {
            text.ids.insert(0, before);
            text.ids.push(behind);
            if let Some(types) = &mut text.types {
                types.insert(0, 0);
                types.push(types.last().copied().unwrap_or(0));
            }
        }
    }
}

fn id(bracket: &str, tokenizer: &TextTokenizer) -> Result<u32, TorchError> {
    let ids = tokenizer.bare(bracket)?;
    match ids.as_slice() {
        [id] => Ok(*id),
        _ => Err(TorchError::Tokenizer(format!(
            "expected a bracket of one token, found {} tokens: {bracket}",
            ids.len()
        ))),
    }
}

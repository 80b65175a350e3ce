//! Token ids of texts, as the model's own tokenizer gives them.

mod added;
mod agreement;
mod class;
mod convert;
mod laser;
mod sentence_piece;
mod subwords;
mod tokens;
mod words;

use std::path::Path;

use rayon::prelude::*;

use crate::error::TorchError;
use crate::folder::{Input, ModelFolder};

pub use convert::Framing;
pub use tokens::{Tokens, check_ids, check_lengths};

use laser::Laser;
use subwords::Subwords;
use words::Words;

/// A tokenizer that cuts at the model's maximum and never pads.
pub enum TextTokenizer {
    /// A tokenizer of the `tokenizers` library.
    Subwords(Box<Subwords>),
    /// White space, as word vectors need it.
    Words(Words),
    /// LASER's.
    Laser(Box<Laser>),
}

impl TextTokenizer {
    /// Reads the tokenizer of a folder; a text is cut behind `max_length` tokens. `framing` is what older files do not say.
    ///
    /// # Errors
    /// If its files are absent or malformed.
    pub fn read(
        folder: &ModelFolder,
        framing: Option<Framing>,
        max_length: Option<usize>,
    ) -> Result<Self, TorchError> {
        Ok(match &folder.input {
            Input::Transformer(transformer) => {
                Self::Subwords(Box::new(Subwords::of_transformer(transformer, framing, max_length, folder)?))
            }
            Input::StaticEmbedding(path) => Self::Subwords(Box::new(Subwords::of_static(path)?)),
            Input::WordEmbeddings(path) => Self::Words(Words::read(path)?),
            Input::Laser { network, pieces } => Self::Laser(Box::new(Laser::read(network, pieces)?)),
        })
    }

    /// The tokens of each text with `prompt` before it.
    ///
    /// # Errors
    /// If a text cannot be tokenised.
    pub fn texts(&self, texts: &[&str], prompt: &str) -> Result<Vec<Tokens>, TorchError> {
        texts.par_iter().map(|text| self.text(&format!("{prompt}{text}"))).collect()
    }

    /// The tokens of each pair.
    ///
    /// # Errors
    /// If a pair cannot be tokenised, or the tokenizer knows no pairs.
    pub fn pairs(&self, first: &[String], second: &[&str]) -> Result<Vec<Tokens>, TorchError> {
        match self {
            Self::Subwords(subwords) => {
                first.par_iter().zip(second).map(|(first, second)| subwords.pair(first, second)).collect()
            }
            Self::Words(_) | Self::Laser(_) => {
                Err(TorchError::Tokenizer("a tokenizer of words does not support pairs of texts".to_owned()))
            }
        }
    }

    /// Tokens that `prompt` takes at the start of a text, without a special token behind it.
    ///
    /// # Errors
    /// If it cannot be tokenised.
    pub fn prompt_length(&self, prompt: &str) -> Result<usize, TorchError> {
        match self {
            Self::Subwords(subwords) => subwords.prompt_length(prompt),
            Self::Words(words) => Ok(words.ids(prompt).len()),
            Self::Laser(laser) => Ok(laser.ids(prompt)?.len() - 1),
        }
    }

    /// The tokens of one text.
    ///
    /// # Errors
    /// If it cannot be tokenised.
    pub fn text(&self, text: &str) -> Result<Tokens, TorchError> {
        match self {
            Self::Subwords(subwords) => subwords.text(text),
            Self::Words(words) => Ok(Tokens { ids: words.ids(text), types: None }),
            Self::Laser(laser) => Ok(Tokens { ids: laser.ids(text)?, types: None }),
        }
    }

    /// The id of a token of the vocabulary.
    pub fn id_of(&self, token: &str) -> Option<u32> {
        match self {
            Self::Subwords(subwords) => subwords.id_of(token),
            Self::Words(_) | Self::Laser(_) => None,
        }
    }

    /// The tokenizer without the special tokens that frame a text.
    ///
    /// # Errors
    /// If the text cannot be tokenised.
    pub fn bare(&self, text: &str) -> Result<Vec<u32>, TorchError> {
        match self {
            Self::Subwords(subwords) => subwords.bare(text),
            Self::Words(words) => Ok(words.ids(text)),
            Self::Laser(laser) => laser.ids(text),
        }
    }

    /// Fails if the tokenizer gives ids that the model has no vector for; `file` names the model in the message.
    ///
    /// # Errors
    /// If its vocabulary is larger than `rows`.
    pub fn check_fits(&self, rows: i64, file: &Path) -> Result<(), TorchError> {
        let count = match self {
            Self::Subwords(subwords) => subwords.vocabulary(),
            Self::Words(words) => words.vocabulary(),
            Self::Laser(laser) => laser.vocabulary(),
        };
        if i64::try_from(count).is_ok_and(|count| count <= rows) {
            return Ok(());
        }
        Err(TorchError::Malformed {
            path: file.to_owned(),
            message: format!(
                "expected a tokenizer of at most {rows} tokens, as many as the model has vectors for, found {count}; \
                 the tokenizer belongs to another model"
            ),
        })
    }
}

//! Why texts could not be encoded.

use std::io;

use mteb_workers::plugins::WorkerError;

/// Why texts could not be encoded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// The worker failed.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// There is no memory for the rows.
    #[error(
        "{texts} texts with {dimension} numbers each: {source}; use a machine with more memory, or a model with fewer dimensions"
    )]
    Room {
        /// How many.
        texts: usize,
        /// Numbers a text.
        dimension: usize,
        /// What was asked for.
        source: io::Error,
    },
    /// The model gave something that is no embedding.
    #[error(
        "model {model}: expected finite numbers, found {found} in the {what} of the text: {text:?}; \
         the model or its dtype is broken for this text"
    )]
    NotFinite {
        /// The model's name.
        model: String,
        /// The value.
        found: f32,
        /// Embedding or score.
        what: &'static str,
        /// Begin of the text.
        text: String,
    },
}

impl EncodeError {
    /// True if the worker died.
    pub fn is_death(&self) -> bool {
        matches!(self, Self::Worker(error) if error.is_death())
    }
}

/// Checks that there is memory for rows of so many texts.
pub(super) fn check_room(texts: usize, dimension: usize) -> Result<(), EncodeError> {
    mteb_files::check_room::<f32>(texts.saturating_mul(dimension)).map_err(|source| EncodeError::Room {
        texts,
        dimension,
        source,
    })
}

/// Refuses values that are not finite, of `text` by the model `name`.
pub(super) fn check_finite(
    name: &str,
    values: &[f32],
    what: &'static str,
    text: &str,
) -> Result<(), EncodeError> {
    match values.iter().find(|value| !value.is_finite()) {
        None => Ok(()),
        Some(&found) => {
            let (model, text) = (name.to_owned(), text.chars().take(60).collect());
            Err(EncodeError::NotFinite { model, found, what, text })
        }
    }
}

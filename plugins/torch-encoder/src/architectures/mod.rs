//! The transformers, one a file.

mod bert;

use tch::Tensor;

use crate::error::TorchError;
use crate::folder::ModelFolder;
use crate::packed::Packed;
use crate::weights::Weights;
use bert::Bert;

/// `model_type`s that are known.
pub const KNOWN: &[&str] = &["bert", "roberta", "xlm-roberta", "camembert", "distilbert"];

/// A transformer: token ids to rows of tokens.
pub trait Architecture: Send {
    /// Rows of all tokens, `[tokens, width]`.
    ///
    /// # Errors
    /// If libtorch fails.
    fn forward(&self, packed: &Packed) -> Result<Tensor, TorchError>;

    /// Numbers in a row.
    fn width(&self) -> i64;

    /// A copy that shares the weights, for another thread.
    fn share(&self) -> Box<dyn Architecture>;
}

/// Builds the transformer that the folder's `model_type` names.
///
/// # Errors
/// If the type is unknown, or a weight is absent or of another shape.
pub fn build(folder: &ModelFolder, weights: &Weights) -> Result<Box<dyn Architecture>, TorchError> {
    let model_type = folder.text("model_type");
    if !KNOWN.contains(&model_type) {
        return Err(TorchError::UnknownArchitecture {
            path: folder.transformer.join("config.json"),
            found: model_type.to_owned(),
            known: KNOWN.join(", "),
        });
    }
    Ok(Box::new(Bert::read(folder, weights)?))
}

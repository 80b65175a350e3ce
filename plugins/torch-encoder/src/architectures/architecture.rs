//! What a network does, and what its file declares of it.

use tch::Tensor;

use crate::error::TorchError;
use crate::folder::Config;
use crate::packed::Packed;
use crate::weights::Weights;

/// A network that turns token ids into rows of tokens.
pub trait Architecture: Send {
    /// Rows of all tokens, `[tokens, width]`.
    ///
    /// # Errors
    /// If libtorch fails.
    fn forward(&self, packed: &Packed) -> Result<Tensor, TorchError>;

    /// Numbers in a row.
    fn width(&self) -> i64;

    /// Number of token ids that have a vector.
    fn vocabulary(&self) -> i64;

    /// Most tokens that have a position; `None` if there is no limit.
    fn positions(&self) -> Option<i64> {
        None
    }
}

/// A kind of network, by which a checkpoint finds the code that computes it.
pub struct Kind {
    /// `model_type` in a checkpoint's `config.json`.
    pub model_type: &'static str,
    /// Name of a tensor that it has, by which the prefix of all its names is found.
    pub probe: &'static str,
    /// Builds the network from its configuration and weights.
    pub build: Build,
}

/// Builds a network.
pub type Build = fn(&Config, &Weights) -> Result<Box<dyn Architecture>, TorchError>;

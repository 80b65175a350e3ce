//! What a network does, and what its file declares of it.

use tch::Tensor;

use crate::error::TorchError;
use crate::folder::Config;
use crate::layers::Activation;
use crate::packed::Packed;
use crate::tokenizer::Framing;
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
    /// The head of its sequence classifiers; `None` where none is known.
    pub head: Option<Head>,
    /// What older tokenizer files of its checkpoints do not say; with `None` word pieces stand between BERT's tokens, pieces of bytes
    /// stand alone, and unigrams are refused.
    pub framing: Option<Framing>,
}

/// Builds a network.
pub type Build = fn(&Config, &Weights) -> Result<Box<dyn Architecture>, TorchError>;

/// The head by which a sequence classifier scores a text: a dense layer on the row of its first token, an activation, and a
/// linear layer to one number.
#[derive(Clone, Copy)]
pub struct Head {
    /// Name of the dense layer.
    pub dense: &'static str,
    /// True if that name stands below the network's own prefix.
    pub is_below_root: bool,
    /// What follows the dense layer.
    pub activation: fn(&Config) -> Result<Activation, TorchError>,
    /// Name of a norm between the two layers.
    pub norm: Option<&'static str>,
    /// Name of the linear layer.
    pub out: &'static str,
    /// Key of the configuration that may ask for the mean of all tokens in place of the first.
    pub pooling: Option<&'static str>,
}

impl Head {
    /// BERT's: its pooler, called `dense` below the network's own prefix, and `classifier`.
    pub const fn pooler(dense: &'static str) -> Self {
        let activation = |_: &Config| Ok(Activation::Tanh);
        Self { dense, is_below_root: true, activation, norm: None, out: "classifier", pooling: None }
    }

    /// RoBERTa's: two layers below `classifier`.
    pub const ROBERTA: Self =
        Self { is_below_root: false, out: "classifier.out_proj", ..Self::pooler("classifier.dense") };
}

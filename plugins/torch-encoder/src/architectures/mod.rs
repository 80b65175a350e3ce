//! The transformers, one a file.

mod albert;
mod bert;
mod bloom;
mod distilbert;
mod gemma3;
mod gpt_j;
mod gpt_neo;
mod gte;
mod llama;
mod modernbert;
mod mpnet;
mod nomic_bert;
mod qwen;
mod rotary_bert;
mod t5;
mod words;

use tch::Tensor;

use crate::error::TorchError;
use crate::folder::Config;
use crate::packed::Packed;
use crate::weights::Weights;
pub use words::Words;

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

type Build = fn(&Config, &Weights) -> Result<Box<dyn Architecture>, TorchError>;

/// By `model_type`: the name of a tensor by which the checkpoint's own prefix is found, and what builds the network.
const BUILDERS: [(&str, &str, Build); 22] = [
    ("albert", "embeddings.word_embeddings.weight", albert::build),
    ("bert", "embeddings.word_embeddings.weight", bert::build),
    ("bloom", "word_embeddings.weight", bloom::build),
    ("camembert", "embeddings.word_embeddings.weight", bert::build_roberta),
    ("distilbert", "embeddings.word_embeddings.weight", distilbert::build),
    ("gemma3_text", "embed_tokens.weight", gemma3::build),
    ("gpt_neo", "wte.weight", gpt_neo::build),
    ("gptj", "wte.weight", gpt_j::build),
    ("gte", "embeddings.word_embeddings.weight", gte::build),
    ("llama", "embed_tokens.weight", llama::build),
    ("mistral", "embed_tokens.weight", llama::build),
    ("modernbert", "embeddings.tok_embeddings.weight", modernbert::build),
    ("mpnet", "embeddings.word_embeddings.weight", mpnet::build),
    ("mt5", "shared.weight", t5::build),
    ("new", "embeddings.word_embeddings.weight", gte::build),
    ("nomic_bert", "embeddings.word_embeddings.weight", nomic_bert::build),
    ("qwen2", "embed_tokens.weight", qwen::build_qwen2),
    ("qwen3", "embed_tokens.weight", qwen::build_qwen3),
    ("roberta", "embeddings.word_embeddings.weight", bert::build_roberta),
    ("t5", "shared.weight", t5::build),
    ("umt5", "shared.weight", t5::build),
    ("xlm-roberta", "embeddings.word_embeddings.weight", bert::build_roberta),
];

/// Every `model_type` that is known.
pub fn known() -> Vec<&'static str> {
    BUILDERS.iter().map(|(name, ..)| *name).collect()
}

/// Reads weights, once the `model_type` that `config` names is known, and finds their prefix.
///
/// # Errors
/// If the type is unknown, or the weights cannot be read.
pub fn rooted(
    config: &Config,
    read: impl FnOnce() -> Result<Weights, TorchError>,
) -> Result<Weights, TorchError> {
    let (_, probe, _) = builder(config)?;
    Ok(read()?.rooted(probe))
}

/// Builds the network that `config` names.
///
/// # Errors
/// If the type is unknown, a number of the configuration or a weight is absent, or a weight has another shape.
pub fn build(config: &Config, weights: &Weights) -> Result<Box<dyn Architecture>, TorchError> {
    builder(config)?.2(config, weights)
}

fn builder(config: &Config) -> Result<(&'static str, &'static str, Build), TorchError> {
    let model_type = config.text_or("model_type", "");
    BUILDERS.into_iter().find(|(name, ..)| *name == model_type).ok_or_else(|| {
        TorchError::UnknownArchitecture {
            path: config.path().to_owned(),
            found: model_type.to_owned(),
            known: known().join(", "),
        }
    })
}

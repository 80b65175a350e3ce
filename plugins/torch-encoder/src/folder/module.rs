//! The modules of a model folder, and which may follow which: rows of tokens become one row per
//! text in the pooling.

use std::path::{Path, PathBuf};

use super::config::Config;
use crate::error::TorchError;

/// The first module.
#[derive(Clone, Debug)]
pub enum Input {
    /// A transformer with its tokenizer.
    Transformer(Box<Transformer>),
    /// Word vectors with a tokenizer that splits at white space; the folder holds both.
    WordEmbeddings(PathBuf),
    /// Vectors of subwords, averaged; the folder holds them and the tokenizer.
    StaticEmbedding(PathBuf),
    /// LASER's word vectors, with its own tokenizer.
    Laser {
        /// The file of `torch.save` with the network and its dictionary.
        network: PathBuf,
        /// The model file of SentencePiece.
        pieces: PathBuf,
    },
}

/// A transformer with its tokenizer.
#[derive(Clone, Debug)]
pub struct Transformer {
    /// The folder with weights and tokenizer.
    pub folder: PathBuf,
    /// `config.json`.
    pub config: Config,
    /// `tokenizer_config.json`.
    pub tokenizer: Config,
    /// Tokens after which a text is cut.
    pub max_length: Option<usize>,
    /// `max_seq_length` of the settings beside it, as long as nobody wants another maximum.
    pub stated_length: Option<usize>,
    /// True if somebody wants another maximum than the files say.
    pub is_limited: bool,
    /// What sentence-transformers loads it for.
    pub task: String,
    /// True if texts are made lower-case before the tokenizer.
    pub lower_case: bool,
    /// The side of a text on which batches are filled up, where the settings beside the transformer say it.
    pub padding_side: Option<String>,
}

/// A module behind the first one.
#[derive(Clone, Debug)]
pub struct Module {
    /// Last part of its type: `Pooling`, `Dense`, …
    pub kind: String,
    /// The folder with its configuration and weights.
    pub folder: PathBuf,
    /// Its `config.json`.
    pub config: Config,
}

/// Modules that take rows of tokens.
const OF_TOKENS: [&str; 2] = ["LSTM", "WordWeights"];

/// Checks the modules behind the first one.
///
/// # Errors
/// If there is no pooling or several, or a module stands where sentence-transformers fails or does nothing.
pub fn check(file: &Path, input: &Input, modules: &[Module]) -> Result<(), TorchError> {
    let wrong = |message: String| TorchError::Malformed { path: file.to_owned(), message };
    if let Input::Transformer(transformer) = input
        && transformer.task != "feature-extraction"
    {
        return Err(wrong(format!(
            "expected a transformer for feature-extraction, found one for {}",
            transformer.task
        )));
    }
    let mut pooled = matches!(input, Input::StaticEmbedding(_));
    for module in modules {
        let kind = module.kind.as_str();
        let fits = match kind {
            "Pooling" => !pooled,
            "LSTM" => !pooled && matches!(input, Input::WordEmbeddings(_)),
            kind if OF_TOKENS.contains(&kind) => !pooled,
            _ => pooled,
        };
        if !fits {
            let place = if pooled { "behind" } else { "before" };
            return Err(wrong(format!("expected no {kind} {place} the pooling of this model, found one")));
        }
        if kind == "Pooling" && matches!(input, Input::WordEmbeddings(_)) && takes_first(module) {
            return Err(wrong("expected a pooling of all words, found one of the first token, which word vectors do not have".to_owned()));
        }
        pooled = pooled || kind == "Pooling";
    }
    if pooled { Ok(()) } else { Err(wrong("expected a Pooling module, found none".to_owned())) }
}

/// True if a pooling takes the first token.
fn takes_first(pooling: &Module) -> bool {
    let config = &pooling.config;
    match config.raw("pooling_mode") {
        Some(mode) => {
            mode == "cls" || mode.as_array().is_some_and(|modes| modes.iter().any(|mode| mode == "cls"))
        }
        None => config.flag_or("pooling_mode_cls_token", false),
    }
}

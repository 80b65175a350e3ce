//! The modules of a model folder.

use std::path::PathBuf;

use super::config::Config;

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

//! What the author of a plugin implements: a model, or a pack of tasks.

use serde::{Deserialize, Serialize};

use super::PluginError;
use crate::{Brackets, ModelInfo};

/// A model: an encoder (`encode`), a cross-encoder (`predict`), or both.
pub trait Model: Send {
    /// Who the model is, its dimension, similarity and prompts.
    fn info(&self) -> ModelInfo;

    /// Writes the number of tokens of each text; the host packs batches by it.
    ///
    /// The default takes one token for every four bytes.
    ///
    /// # Errors
    /// If a text cannot be tokenised.
    fn count_tokens(&self, texts: &[&str], out: &mut [u32]) -> Result<(), PluginError> {
        for (text, count) in texts.iter().zip(out) {
            *count = u32::try_from(text.len() / 4 + 1).unwrap_or(u32::MAX);
        }
        Ok(())
    }

    /// Writes the embedding of text i to `out[i × dimension ..]`; `out` holds exactly
    /// `texts.len() × dimension` numbers. `instruction` is the prompt to put before each text, often empty.
    ///
    /// # Errors
    /// If the texts cannot be encoded.
    fn encode(
        &mut self,
        texts: &[&str],
        role: Role,
        instruction: &str,
        out: &mut [f32],
    ) -> Result<(), PluginError> {
        let _ = (texts, role, instruction, out);
        Err(PluginError::unsupported("encode"))
    }

    /// Writes the relevance of each pair `(queries[i], documents[i])`; higher is more relevant.
    ///
    /// # Errors
    /// If the pairs cannot be scored.
    fn predict(
        &mut self,
        queries: &[&str],
        documents: &[&str],
        instruction: &str,
        out: &mut [f32],
    ) -> Result<(), PluginError> {
        let _ = (queries, documents, instruction, out);
        Err(PluginError::unsupported("predict"))
    }

    /// Answers a method that the manifest lists under `features`; [`super::EncodeRows`] is asked of models whose embeddings have no
    /// fixed width.
    ///
    /// # Errors
    /// If there is no such method, or it fails.
    fn call(&mut self, method: &str, json: &str) -> Result<String, PluginError> {
        let _ = json;
        Err(PluginError::unsupported(method))
    }
}

/// The option, and the feature of a manifest, of plugins that obey what the reference's loader sets ([`crate::Loading`]).
pub const LOADING: &str = "loading";

/// What the host asks for when it makes a model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelConfig {
    /// Name of the model as the user gave it: a name of the manifest, a hub id or a folder.
    pub name: String,
    /// Folder with the model's files, if the model has files.
    pub folder: Option<String>,
    /// Revision of those files.
    pub revision: Option<String>,
    /// `auto`, `cpu`, `cuda` or `cuda:N`.
    pub device: String,
    /// `auto`, `f32`, `bf16` or `f16`.
    pub dtype: String,
    /// Threads the model may use; 0 for its own choice.
    pub threads: usize,
    /// Tokens after which a text is cut, whatever the files say; a model that obeys says so in its description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// Tokens after which a text is cut if the files do not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens_otherwise: Option<u32>,
    /// Tokens around a text; a model that obeys says so in its description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brackets: Option<Brackets>,
    /// What only some plugins understand, by name: `api` for an HTTP endpoint, `python` for an interpreter, [`LOADING`].
    #[serde(skip_serializing_if = "serde_json::Map::is_empty")]
    pub options: serde_json::Map<String, serde_json::Value>,
}

/// What a text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Neither query nor document.
    None,
    /// A search query.
    Query,
    /// A document.
    Document,
}

impl Role {
    /// The number that crosses the interface.
    pub fn to_code(self) -> u32 {
        match self {
            Self::None => 0,
            Self::Query => 1,
            Self::Document => 2,
        }
    }

    /// The role of a number; an unknown number is no role.
    pub fn from_code(code: u32) -> Self {
        match code {
            1 => Self::Query,
            2 => Self::Document,
            _ => Self::None,
        }
    }
}

/// A pack of tasks.
pub trait TaskPack: Send {
    /// Makes the task called `name`, one of the manifest's `tasks`.
    ///
    /// # Errors
    /// If there is no such task.
    fn task(&self, name: &str) -> Result<Box<dyn Task>, PluginError>;
}

/// One task of a pack.
pub trait Task: Send {
    /// The task card, as TOML text.
    ///
    /// # Errors
    /// If the card cannot be given.
    fn card(&self) -> Result<String, PluginError>;

    /// Rows of `part` as JSON lines, one object a line.
    ///
    /// `part` is `rows` for most types, or `corpus`, `queries`, `qrels`, `top_ranked`, `instruction`,
    /// `qrel_diff`; `split` is the evaluation split, or the training split of `rows`.
    ///
    /// # Errors
    /// `NOT_FOUND` if there is no such subset, part or split.
    fn rows(&self, subset: &str, part: &str, split: &str) -> Result<String, PluginError>;

    /// Scores a task of a type the host does not know. `json` holds the columns; the answer is an object.
    ///
    /// # Errors
    /// If the task's type is one of the host's, or scoring fails.
    fn score(&self, json: &str) -> Result<String, PluginError> {
        let _ = json;
        Err(PluginError::unsupported("score"))
    }

    /// Answers a method that the manifest lists under `features`.
    ///
    /// # Errors
    /// If there is no such method, or it fails.
    fn call(&self, method: &str, json: &str) -> Result<String, PluginError> {
        let _ = json;
        Err(PluginError::unsupported(method))
    }
}

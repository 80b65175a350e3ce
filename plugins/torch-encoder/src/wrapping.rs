//! Tokens around texts: the question by which Qwen3's rerankers (Zhang et al. 2025) are asked about a pair,
//! word by word as the reference asks, and brackets that say what a text is for.
//!
//! SGPT has brackets (Muennighoff 2022; https://github.com/Muennighoff/sgpt, "Asymmetric Semantic Search BE"):
//! put around the ids of the text, so that they never merge with its letters, and beyond its maximum length.
//! Texts without a role are taken for queries, as there.

use mteb_plugin_api::Brackets;
use mteb_plugin_api::v1::Role;
use rayon::prelude::*;

use crate::architectures::framing;
use crate::error::TorchError;
use crate::folder::ModelFolder;
use crate::tokenizer::{TextTokenizer, Tokens};

const BEFORE: &str = "<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the \
                      Instruct provided. Note that the answer can only be \"yes\" or \"no\".<|im_end|>\n\
                      <|im_start|>user\n";

const BEHIND: &str = "<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n";

/// The instruction where the task brings none; the wording is the reference's.
const INSTRUCTION: &str = "Given the user query, retrieval the relevant passages";

/// Tokens of the whole question at most.
const MAX_LENGTH: usize = 8192;

/// The question, and a tokenizer that leaves room for what stands around the pair.
pub struct Reranker {
    tokenizer: TextTokenizer,
    before: Vec<u32>,
    behind: Vec<u32>,
}

impl Reranker {
    /// Prepares the question for the model in `folder`.
    ///
    /// # Errors
    /// If the tokenizer cannot be read.
    pub fn new(folder: &ModelFolder, max_length: Option<usize>) -> Result<Self, TorchError> {
        let whole = TextTokenizer::read(folder, framing(folder), None)?;
        let (before, behind) = (whole.bare(BEFORE)?, whole.bare(BEHIND)?);
        let room = max_length.unwrap_or(MAX_LENGTH).min(MAX_LENGTH);
        let room = room.saturating_sub(before.len() + behind.len()).max(1);
        let tokenizer = TextTokenizer::read(folder, framing(folder), Some(room))?;
        Ok(Self { tokenizer, before, behind })
    }

    /// The tokens of each question.
    ///
    /// # Errors
    /// If a text cannot be tokenised.
    pub fn tokens(
        &self,
        queries: &[&str],
        documents: &[&str],
        instruction: &str,
    ) -> Result<Vec<Tokens>, TorchError> {
        let instruction = if instruction.is_empty() { INSTRUCTION } else { instruction };
        let ask = |(query, document): (&&str, &&str)| {
            let pair = format!("<Instruct>: {instruction}\n<Query>: {query}\n<Document>: {document}");
            let pair = self.tokenizer.text(&pair)?.ids;
            let ids = [self.before.as_slice(), &pair, &self.behind].concat();
            Ok(Tokens { ids, types: None })
        };
        queries.par_iter().zip(documents).map(ask).collect()
    }
}

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

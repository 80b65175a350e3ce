//! Which module may follow which: rows of tokens become one row a text in the pooling, and each module takes one of both.

use std::path::Path;

use super::module::{Input, Module};
use crate::error::TorchError;

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

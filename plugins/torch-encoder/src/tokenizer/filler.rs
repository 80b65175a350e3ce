//! The token that fills up the shorter texts of a batch. Nothing is filled up here, but transformers refuses to tokenise without one, so
//! that no score of such a model can be compared.

use tokenizers::Tokenizer;

use super::added::{content, special_tokens_map};
use super::class::{class_of, named};
use crate::error::TorchError;
use crate::folder::Transformer;

/// The key of the token.
const KEY: &str = "pad_token";

/// Classes of transformers 5 that have such a token where no file names one, besides those that are known here.
const WITH_OWN: [&str; 30] = [
    "BarthezTokenizer",
    "BigBirdTokenizer",
    "BlenderbotTokenizer",
    "CLIPTokenizer",
    "CohereTokenizer",
    "DebertaTokenizer",
    "DebertaV2Tokenizer",
    "EsmcTokenizer",
    "FunnelTokenizer",
    "GPTNeoXTokenizer",
    "HerbertTokenizer",
    "LasrTokenizer",
    "LayoutLMv2Tokenizer",
    "LayoutLMv3Tokenizer",
    "LayoutXLMTokenizer",
    "LukeTokenizer",
    "MBart50Tokenizer",
    "MBartTokenizer",
    "MLukeTokenizer",
    "MarkupLMTokenizer",
    "NllbTokenizer",
    "NougatTokenizer",
    "PegasusTokenizer",
    "Qwen3_5Tokenizer",
    "RemBertTokenizer",
    "SeamlessM4TTokenizer",
    "SplinterTokenizer",
    "UdopTokenizer",
    "XGLMTokenizer",
    "XLNetTokenizer",
];

/// Checks that the files name such a token, or the class that reads them has one. `tokenizer` is as its file has it.
///
/// # Errors
/// If there is none.
pub fn check(transformer: &Transformer, tokenizer: &Tokenizer) -> Result<(), TorchError> {
    let settings = &transformer.tokenizer;
    let map = special_tokens_map(transformer)?;
    let files = [&map, settings];
    if files.iter().any(|file| file.get(KEY).and_then(content).is_some()) {
        return Ok(());
    }
    // A null stands in the place of the class's own.
    let is_null = files.iter().any(|file| file.raw(KEY).is_some());
    let has_own = match class_of(transformer) {
        Some(class) if class.name == "GPT2Tokenizer" => false,
        Some(class) => class.tokens.iter().any(|(key, _)| *key == KEY),
        None => has_general(transformer, tokenizer),
    };
    if has_own && !is_null {
        return Ok(());
    }
    Err(settings.unsupported(format!(
        "`{KEY}`: expected a token to fill up batches with, without which transformers tokenises no text (\"Asking to pad but the tokenizer \
         does not have a padding token\"), found none; name one that tokenizer.json has, such as the `eos_token`"
    )))
}

/// Whether the general class has such a token, or another one that is not known here.
fn has_general(transformer: &Transformer, tokenizer: &Tokenizer) -> bool {
    let name = named(transformer).unwrap_or_default();
    let name = name.strip_suffix("Fast").unwrap_or(name);
    WITH_OWN.contains(&name) || tokenizer.get_padding().is_some()
}

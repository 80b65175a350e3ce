//! The tokens that the settings of a tokenizer add to its vocabulary: each must be among those that
//! `tokenizer.json` adds, as a text that spells it out becomes other tokens otherwise.
//!
//! One of them fills up the shorter texts of a batch. Nothing is filled up here, but transformers refuses to
//! tokenise without one, so that no score of such a model can be compared.

use serde_json::Value;
use tokenizers::Tokenizer;

use super::class::{class_name, class_of};
use crate::error::TorchError;
use crate::folder::{Config, Transformer};

/// A token that a file names.
pub struct Named {
    /// The key under which it stands.
    pub key: String,
    /// Its text.
    pub content: String,
    /// Its id, where the file says it.
    pub id: Option<u32>,
}

/// Lists of tokens without ids.
const LISTS: [&str; 2] = ["additional_special_tokens", "extra_special_tokens"];

/// The key of tokens with their ids.
const DECODER: &str = "added_tokens_decoder";

/// All tokens that the settings beside `tokenizer.json` name.
///
/// # Errors
/// If a file is no JSON object.
pub fn tokens(transformer: &Transformer) -> Result<Vec<Named>, TorchError> {
    let settings = &transformer.tokenizer;
    let mut found = of(settings);
    let by_id = settings.get(DECODER).and_then(Value::as_object).into_iter().flatten();
    found.extend(by_id.filter_map(|(id, token)| {
        Some(Named { key: DECODER.to_owned(), content: content(token)?.to_owned(), id: id.parse().ok() })
    }));
    found.extend(of(&special_tokens_map(transformer)?));
    if settings.raw(DECODER).is_none() {
        let older = Config::read_if_there(&transformer.folder.join("added_tokens.json"))?;
        let id = |token: &str| older.get(token).and_then(Value::as_u64).and_then(|id| u32::try_from(id).ok());
        found.extend(older.keys().map(|token| Named {
            key: "added_tokens.json".to_owned(),
            content: token.to_owned(),
            id: id(token),
        }));
    }
    Ok(found)
}

/// `special_tokens_map.json`, as far as transformers reads it.
///
/// # Errors
/// If it is no JSON object.
pub fn special_tokens_map(transformer: &Transformer) -> Result<Config, TorchError> {
    if transformer.tokenizer.raw(DECODER).is_some() {
        return Ok(Config::default());
    }
    Config::read_if_there(&transformer.folder.join("special_tokens_map.json"))
}

/// The text of a token: a text, or an object with its content.
pub fn content(token: &Value) -> Option<&str> {
    token.as_str().or_else(|| token.get("content").and_then(Value::as_str))
}

/// The tokens with a key of their own, and those of lists.
fn of(config: &Config) -> Vec<Named> {
    let named = |key: &str, token: &Value| {
        Some(Named { key: key.to_owned(), content: content(token)?.to_owned(), id: None })
    };
    let mut found: Vec<Named> = config
        .keys()
        .filter(|key| key.ends_with("_token"))
        .filter_map(|key| named(key, config.get(key)?))
        .collect();
    for key in LISTS {
        let (list, map) = match config.get(key) {
            Some(Value::Array(list)) => (Some(list), None),
            Some(Value::Object(map)) => (None, Some(map)),
            _ => continue,
        };
        found.extend(list.into_iter().flatten().filter_map(|token| named(key, token)));
        found.extend(map.into_iter().flatten().filter_map(|(_, token)| named(key, token)));
    }
    found
}

/// Checks that `tokenizer.json` adds every one of the tokens `named`, with its id.
///
/// # Errors
/// If it does not; the key, the token and what the file has are named.
pub fn check(settings: &Config, tokenizer: &Tokenizer, named: &[Named]) -> Result<(), TorchError> {
    let added = tokenizer.get_added_tokens_decoder();
    for Named { key, content, id } in named {
        let own = added.iter().find(|(_, token)| token.content == *content).map(|(id, _)| *id);
        let found = match (own, id) {
            (Some(own), Some(id)) if own != *id => {
                format!("{content:?} with the id {id}, which is {own} there")
            }
            (Some(_), _) => continue,
            (None, _) => format!("{content:?}, which is not among them"),
        };
        return Err(settings.unsupported(format!(
            "`{key}`: expected tokens that tokenizer.json has among its added_tokens, found: {found}; transformers adds the token by this \
             key, save the tokenizer with it (`AutoTokenizer.from_pretrained(FOLDER).save_pretrained(FOLDER)`)"
        )));
    }
    Ok(())
}

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
pub fn check_filler(transformer: &Transformer, tokenizer: &Tokenizer) -> Result<(), TorchError> {
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
    let name = class_name(transformer).unwrap_or_default();
    let name = name.strip_suffix("Fast").unwrap_or(name);
    WITH_OWN.contains(&name) || tokenizer.get_padding().is_some()
}

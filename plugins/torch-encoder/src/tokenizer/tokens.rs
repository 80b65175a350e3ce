//! What a text became: the ids of its tokens, with those that begin and end it where the
//! reference's loader says which, as transformers 5 puts them (`update_post_processor`): what the
//! tokenizer's file puts around a text goes.

use mteb_plugin_api::Loading;
use serde_json::Value;
use tokenizers::Tokenizer;
use tokenizers::processors::template::{TemplateProcessing, TemplateProcessingBuilder};

use crate::error::TorchError;
use crate::folder::{Config, Transformer};

/// What one text, or one pair of texts, became.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Ids of its tokens, special ones included.
    pub ids: Vec<u32>,
    /// Whether a token belongs to the first or the second text; `None` where all belong to the first.
    pub types: Option<Vec<u32>>,
}

/// Fails if a text holds a token that a model with vectors for `rows` tokens does not have.
///
/// # Errors
/// If there is such a token.
pub fn check_ids(texts: &[Tokens], rows: i64) -> Result<(), TorchError> {
    let last = texts.iter().flat_map(|text| &text.ids).max().copied().unwrap_or(0);
    if i64::from(last) < rows {
        return Ok(());
    }
    Err(TorchError::Tokenizer(format!(
        "expected token ids below {rows}, found {last}, a token that the model does not have; \
         the tokenizer belongs to another model"
    )))
}

/// Fails if a text has more tokens than the network has `positions`, `None` for any number of them.
///
/// # Errors
/// If there is such a text.
pub fn check_lengths(texts: &[Tokens], positions: Option<usize>) -> Result<(), TorchError> {
    let longest = texts.iter().map(|text| text.ids.len()).max().unwrap_or(0);
    match positions.filter(|positions| longest > *positions) {
        None => Ok(()),
        Some(positions) => Err(TorchError::Tokenizer(format!(
            "expected texts of at most {positions} tokens, as many as the model has positions for, found {longest}; no file of the model \
             says where to cut, and its own library fails, too: cut with `--max-tokens {positions}`"
        ))),
    }
}

// The tokens that begin and end a text where the reference's loader says which, as transformers 5
// puts them (`update_post_processor`): what the tokenizer's file puts around a text goes.

/// Puts the tokens of `loading` around texts, if it says any.
///
/// # Errors
/// If the files do not name such a token, or it is not in the vocabulary.
pub fn frame(
    tokenizer: &mut Tokenizer,
    transformer: &Transformer,
    loading: &Loading,
) -> Result<(), TorchError> {
    if loading.add_bos_token.is_none() && loading.add_eos_token.is_none() {
        return Ok(());
    }
    let token = |is_added: Option<bool>, key: &'static str| {
        is_added.unwrap_or_default().then(|| Token::read(tokenizer, transformer, key)).transpose()
    };
    let (bos, eos) = (token(loading.add_bos_token, "bos_token")?, token(loading.add_eos_token, "eos_token")?);
    let processing = processing(bos.as_ref(), eos.as_ref()).map_err(|error| TorchError::Malformed {
        path: transformer.folder.clone(),
        message: format!("expected tokens to put around texts, found: {error}"),
    })?;
    tokenizer.with_post_processor(Some(processing));
    Ok(())
}

/// A special token and its id.
struct Token {
    content: String,
    id: u32,
}

impl Token {
    /// The token that the tokenizer's files call `key`.
    fn read(tokenizer: &Tokenizer, transformer: &Transformer, key: &'static str) -> Result<Self, TorchError> {
        let map = Config::read_if_there(&transformer.folder.join("special_tokens_map.json"))?;
        let content =
            read_token(&transformer.tokenizer, key).or_else(|| read_token(&map, key)).ok_or_else(|| {
                transformer.tokenizer.wrong(format!(
                    "expected a `{key}`, which the reference puts around each text, found none"
                ))
            })?;
        let id = tokenizer.token_to_id(&content).ok_or_else(|| {
            transformer.tokenizer.wrong(format!("expected a `{key}` of the vocabulary, found: {content}"))
        })?;
        Ok(Self { content, id })
    }
}

fn read_token(config: &Config, key: &str) -> Option<String> {
    let value = config.get(key)?;
    value.as_str().or_else(|| value.get("content").and_then(Value::as_str)).map(str::to_owned)
}

fn processing(bos: Option<&Token>, eos: Option<&Token>) -> Result<TemplateProcessing, String> {
    let piece = |token: Option<&Token>, text: u32| token.map(|token| format!("{}:{text}", token.content));
    let around = |text: u32, name: &str| {
        [piece(bos, text), Some(format!("${name}:{text}")), piece(eos, text)].into_iter().flatten()
    };
    let single: Vec<String> = around(0, "A").collect();
    let pair: Vec<String> = around(0, "A").chain(around(1, "B")).collect();
    let added = [bos, eos].into_iter().flatten().map(|token| (token.content.clone(), token.id));
    let mut builder: TemplateProcessingBuilder = TemplateProcessing::builder();
    builder.try_single(single)?.try_pair(pair)?.special_tokens(added.collect::<Vec<_>>());
    builder.build().map_err(|error| error.to_string())
}
